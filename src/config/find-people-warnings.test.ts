import { describe, expect, it } from 'vitest';
import { base, configOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const passcode = `scrypt$16$8$2$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const noPerson = (who: string): string =>
  `no [approvals] passcode: ${who}; make one with \`intentplane passcode\``;
const person = (id: string, lines = ''): string => `[[people]]\nid = "${id}"\n${lines}\n`;
const approver = (id: string): string => person(id, 'roles = ["approver"]');
const approvals = (lines: string): string => `[approvals]\npasscode = "${passcode}"\n${lines}\n`;
const floor = '[[tools]]\nserver = "bank"\ntool = "pay"\nlevel_floor = 2\n';
const warnings = (text: string): readonly string[] => configOf(base + text).warnings;
const unanswered = (what: string, roles = '`approver`'): string =>
  `${what} is refused, nobody may answer it: besides \`user\`, [[people]] must have a different person for each of ${roles}; or set self_approval = "solo"`;

describe('warnings about who can confirm', () => {
  it('are there when a file names nobody', () => {
    const forms = noPerson('only clients that can show forms can confirm');
    expect(warnings('')).toEqual([forms]);
    expect(warnings('[approvals]\nrequire = { 1 = ["elicitation"] }')).toEqual([forms]);
    expect(warnings(approvals('require = { 1 = ["elicitation"] }'))).toEqual([forms]);
  });

  it('are not there when a passcode or a passkey can', () => {
    expect(warnings(approvals(''))).toEqual([]);
    expect(warnings(approvals('require = { 1 = ["passcode"] }'))).toEqual([]);
    expect(warnings('[approvals]\nrequire = { 1 = ["passkey"] }')).toEqual([]);
    expect(warnings(person('user') + approver('kim'))).toEqual([]);
    expect(warnings('[approvals]\npage_url = "https://approve.example.com"')).toEqual([]);
  });

  verifies('CFG-24', 'say that a remote page takes no passcode unless it is named', () => {
    const page = 'page_url = "https://approve.example.com"';
    expect(warnings(approvals(page))).toEqual([
      '[approvals] passcode confirms nothing: a remote page takes it only when `require` names it for level 1',
    ]);
    expect(warnings(approvals(`${page}\nrequire = { 1 = ["passcode"] }`))).toEqual([]);
  });

  it('say that a passcode is weak at level 2', () => {
    expect(warnings(approvals('require = { 2 = ["passkey", "passcode"] }'))).toEqual([
      '[approvals] require lets a passcode answer level 2: it can be passed on and typed on a forged page, a passkey cannot',
    ]);
  });

  it('say whose passcode is hashed weakly', () => {
    const weak = `passcode = "${passcode.replace('$16$', '$15$')}"\nroles = ["approver"]`;
    expect(warnings(approvals('') + person('kim', weak))).toEqual([
      '[[people]] `kim`: passcode is hashed weakly: make a new one with `intentplane passcode`',
    ]);
  });
});

describe('warnings about level 2', () => {
  verifies('CFG-24', 'are there for a contract that always asks for it, by its action', () => {
    const { warnings: found } = configOf(base + approvals('') + floor);
    expect(found).toEqual([unanswered('level 2 of `bank.pay`')]);
    expect(warnings(approvals('') + floor + approver('kim'))).toEqual([]);
  });

  verifies('CFG-24', 'are there when the people of the file are not enough', () => {
    expect(warnings(approvals('') + person('kim'))).toEqual([unanswered('level 2')]);
    expect(warnings(approvals('') + approver('user'))).toEqual([unanswered('level 2')]);
    const two = approvals('quorum = { count = 2, roles = ["finance"] }');
    const finance = person('lee', 'roles = ["finance", "approver"]');
    expect(warnings(two)).toEqual([unanswered('level 2', '`finance`, `approver`')]);
    expect(warnings(two + finance)).toEqual([unanswered('level 2', '`finance`, `approver`')]);
    expect(warnings(two + finance + approver('kim'))).toEqual([]);
    const excluded = approvals('quorum = { exclude = ["kim"] }') + approver('kim');
    expect(warnings(excluded)).toEqual([unanswered('level 2')]);
  });

  it('are not there for one person who may wait', () => {
    const slack = 'notify = [{ kind = "slack", url = "https://hooks.example.com" }]';
    const solo = `${slack}\nself_approval = { mode = "solo", wait = "2h" }`;
    expect(warnings(approvals(solo) + floor)).toEqual([]);
  });

  verifies('CFG-24', 'are there for a wait that ends nowhere or tells nobody', () => {
    expect(warnings(approvals('self_approval = "solo"'))).toEqual([
      '[approvals] self_approval waits longer than the mandate is valid, so nothing is ever approved: set [mandate] expires_in = "25h"',
      '[approvals] self_approval waits for an objection and tells nobody: add [approvals] notify',
    ]);
  });
});

describe('warnings about people', () => {
  it('name a role that was probably meant to be another', () => {
    const quorum = approvals('quorum = { roles = ["finance"] }');
    const people = person('kim', 'roles = ["finance"]') + person('lee', 'roles = ["aprover"]');
    expect(warnings(quorum + people + person('ann', 'roles = ["auditor"]'))).toEqual([
      '[[people]] `lee`: nothing asks for the role `aprover`; did you mean `approver`?',
    ]);
  });

  it('name subjects without a provider', () => {
    const kim = person('kim', 'roles = ["approver"]\noidc_subject = "1"');
    expect(warnings(approvals('') + kim)).toEqual([
      '[[people]] `kim`: oidc_subject signs nobody in without [http] oidc',
    ]);
    const provider = '[http.oidc]\nissuer = "https://id.example.com"\nclient_id = "x"\n';
    expect(warnings(approvals('') + kim + provider)).toEqual([]);
  });

  it('tell that mail reaches nobody', () => {
    const mail = (to: string): string =>
      approvals(
        `notify = [{ kind = "mail", url = "smtp://mail.example.com", from = "a@example.com"${to} }]`,
      );
    expect(warnings(mail(''))).toEqual([
      '[approvals] notify sends mail to those who may answer, and no [[people]] has an email',
    ]);
    expect(warnings(mail(', to = "b@example.com"'))).toEqual([]);
    const kim = person('kim', 'roles = ["approver"]\nemail = "kim@example.com"');
    expect(warnings(mail('') + kim)).toEqual([]);
  });
});
