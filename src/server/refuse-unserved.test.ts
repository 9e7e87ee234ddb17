import { describe, expect, it } from 'vitest';
import { base, configOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { unservedKeys } from './refuse-unserved.ts';

const problems = (lines: string): readonly string[] =>
  unservedKeys(configOf(`${base}${lines}\n`)).map(
    ({ line, key, message }) => `${line} ${key}: ${message}`,
  );

describe('keys that nothing serves yet', () => {
  verifies('CFG-03', 'are refused at the start, each with its place', () => {
    const mail = '{ kind = "mail", url = "smtps://mail.example.com", from = "gate@example.com" }';
    expect(problems(`[approvals]\nnotify = [${mail}]\nself_approval = "solo"`)).toEqual([
      '7 approvals.notify: `notify` is not available in this version: remove it',
      '8 approvals.self_approval: `self_approval` is not available in this version: remove it',
    ]);
    const oidc = '[http.oidc]\nissuer = "https://id.example.com"\nclient_id = "gate"';
    expect(problems(oidc)).toEqual([
      '6 http.oidc: `oidc` is not available in this version: remove it',
    ]);
  });

  it('are none in a file that has none of them', () => {
    expect(problems('[approvals]\nwait = 1\nself_approval = "never"')).toEqual([]);
  });
});
