import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const passcode = `scrypt$16$8$2$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const text = (lines: string): string => `${base}[approvals]\n${lines}\n`;
const remote = 'page_url = "https://approve.example.com"';
const oidc = '[http.oidc]\nissuer = "https://id.example.com"\nclient_id = "gateway"\n';

describe('[approvals] require', () => {
  it('takes only the factors that level 1 names', () => {
    const withFactors = (factors: string): unknown => {
      const { passcode: given, formAllowed } = configOf(
        text(`passcode = "${passcode}"\nrequire = { 1 = [${factors}] }`),
      ).approvals;
      return { passcode: given !== undefined, formAllowed };
    };
    expect(withFactors('"passcode"')).toEqual({ passcode: true, formAllowed: false });
    expect(withFactors('"elicitation"')).toEqual({ passcode: false, formAllowed: true });
    expect(withFactors('"passcode", "elicitation"')).toEqual({ passcode: true, formAllowed: true });
    expect(configOf(text('require = {}')).approvals.formAllowed).toBe(true);
  });

  verifies('CFG-23', 'keeps the passcode for commands when no level takes one', () => {
    const { approvals } = configOf(
      text(`passcode = "${passcode}"\nrequire = { 1 = ["elicitation"] }`),
    );
    expect(approvals).toMatchObject({ passcode: undefined, passcodeText: passcode });
    const typed = configOf(
      text(`passcode = "${passcode}"\nrequire = { 1 = ["passkey"], 2 = ["passcode"] }`),
    );
    expect(typed.approvals.passcode).toMatchObject({ log2N: 16 });
  });

  it('takes every factor by its name, once', () => {
    const { require } = configOf(
      `${text('require = { 1 = ["oidc", "passkey", "oidc"], 2 = ["passkey-bound", "oidc"] }')}${oidc}`,
    ).approvals;
    expect(require).toEqual({ 1: ['oidc', 'passkey'], 2: ['passkey-bound', 'oidc'] });
  });

  verifies('CFG-23', 'takes a passcode on a remote page only by its name', () => {
    const required = (lines: string): unknown =>
      configOf(text(`passcode = "${passcode}"\n${lines}`)).approvals.require[1];
    expect(required(remote)).toEqual(['elicitation', 'oidc', 'passkey']);
    expect(required('page_url = "http://localhost:8765"')).toContain('passcode');
    expect(required(`${remote}\nrequire = { 1 = ["passcode"] }`)).toEqual(['passcode']);
  });

  verifies('CFG-23', 'refuses factors by which nobody could answer', () => {
    expect(problemsOf(text('require = { 1 = [] }'))).toEqual([
      '7 approvals.require.1: must have at least 1 items',
    ]);
    expect(problemsOf(text('require = { 2 = [] }'))).toEqual([
      '7 approvals.require.2: must have at least 1 items',
    ]);
    expect(problemsOf(text('require = { 1 = ["passcode"] }'))).toEqual([
      '7 approvals.require.1: asks for a passcode and there is none: add `passcode`',
    ]);
    expect(problemsOf(text('require = { 1 = ["oidc"], 2 = ["passkey", "oidc"] }'))).toEqual([
      '7 approvals.require.1: asks for a sign-in and there is no provider: add [http] oidc',
      '7 approvals.require.2: asks for a sign-in and there is no provider: add [http] oidc',
    ]);
  });

  verifies('CFG-23', "refuses the form of the agent's client at level 2", () => {
    expect(problemsOf(text('require = { 2 = ["passkey", "elicitation"] }'))).toEqual([
      "7 approvals.require.2[1]: cannot be elicitation: the agent's own client would answer for a second person; remove it",
    ]);
  });

  it('refuses factors and levels that do not exist', () => {
    expect(problemsOf(text('require = { 1 = ["sms"], 2 = ["sms"] }'))).toEqual([
      '7 approvals.require.1[0]: must be elicitation, passcode, oidc, passkey or passkey-bound',
      '7 approvals.require.2[0]: must be passcode, oidc, passkey or passkey-bound',
    ]);
    expect(problemsOf(text('require = { 3 = ["passkey"] }'))).toEqual([
      '7 approvals.require.3: unknown key `3`: did you mean `1`?',
    ]);
  });

  it("takes the passcode of the principal's own row for one", () => {
    const file = `${text('require = { 1 = ["passcode"] }')}[[people]]\nid = "user"\npasscode = "${passcode}"\n`;
    expect(configOf(file).approvals.passcode).toMatchObject({ log2N: 16 });
    expect(problemsOf(file.replace('"user"', '"kim"'))).toEqual([
      '7 approvals.require.1: asks for a passcode and there is none: add `passcode`',
    ]);
  });
});
