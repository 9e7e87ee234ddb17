import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';

const tools = `[[tools]]
server = "bank"
tool = "pay"
action = "payment.transfer"
[[tools]]
server = "bank"
tool = "mail"
scope = "mail"
`;
const text = (lines: string): string => `${base}${tools}[mandate]\n${lines}\n`;

describe('[mandate]', () => {
  it('holds the scope of every tool unless it names its own', () => {
    expect(configOf(text('')).mandate.scopes).toEqual(['mail', 'payment.transfer']);
    expect(configOf(text('scopes = ["mail"]')).mandate.scopes).toEqual(['mail']);
  });

  it('refuses a scope that no tool asks for', () => {
    expect(problemsOf(text('scopes = ["mail", "payment.transfr"]'))).toEqual([
      '15 mandate.scopes[1]: no tool asks for the scope `payment.transfr`; did you mean `payment.transfer`?',
    ]);
  });

  it('has budgets in amount and calls', () => {
    expect(configOf(text('budget = 500\ncalls = 3')).mandate.budgets).toEqual([
      { kind: 'amount', limit: 500 },
      { kind: 'calls', limit: 3 },
    ]);
  });

  it('takes a claim for a list of one, and `tenant` for the owner of the records', () => {
    const { mandate } = configOf(
      text('principal = "maya"\nclaims = { tenant = "acme", own = ["a", 5] }'),
    );
    expect(mandate).toMatchObject({
      principal: 'maya',
      tenant: 'acme',
      claims: { tenant: ['acme'], own: ['a', 5] },
    });
    expect(configOf(text('principal = "maya"')).mandate.tenant).toBe('maya');
  });

  it('refuses a tenant that is not one text', () => {
    for (const tenant of ['["a", "b"]', '[]', '5', '""', 'true']) {
      expect(problemsOf(text(`claims = { tenant = ${tenant} }`)), tenant).toEqual([
        '15 mandate.claims.tenant: must be one text: it names the owner of the registry records',
      ]);
    }
  });

  it('takes the request from the file or from a file of its own', () => {
    expect(configOf(text('request = "pay 5"')).mandate.request).toBe('pay 5');
    const files = { 'request.txt': 'pay 6\n' };
    expect(configOf(text('request_file = "request.txt"'), { files }).mandate.request).toBe(
      'pay 6\n',
    );
    expect(configOf(text('')).mandate.request).toBeUndefined();
  });

  it('refuses two requests, a missing file and one that is too long', () => {
    expect(problemsOf(text('request = "a"\nrequest_file = "b"'))).toEqual([
      '16 mandate.request_file: stands beside `request`: keep one of them',
    ]);
    expect(problemsOf(text('request_file = "none.txt"'))).toEqual([
      '15 mandate.request_file: the file `~/none.txt` does not exist: create it, or correct the path',
    ]);
    const files = { 'long.txt': 'x'.repeat(65_537) };
    expect(problemsOf(text('request_file = "long.txt"'), { files })).toEqual([
      '15 mandate.request_file: the file `~/long.txt` holds more than 65536 characters',
    ]);
    expect(problemsOf(text(`request = "${'x'.repeat(65_537)}"`))).toEqual([
      '15 mandate.request: must have at most 65536 characters',
    ]);
  });
});
