import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { quoted } from './quoted.ts';
import { type Report, reportObject, reportResult, reportText } from './report-result.ts';

const context = { hasOutputSchema: false, hasOwnTools: true };

const aReport = (more: Partial<Report> = {}): Report => ({
  decisionId: 'dec_1',
  opId: undefined,
  status: 'denied',
  stage: 'provenance',
  codes: ['PROVENANCE_UNTRUSTED'],
  failures: [
    {
      code: 'PROVENANCE_UNTRUSTED',
      path: 'to[0].iban',
      given: 'DE00',
      triedSources: ['registry:payees'],
    },
  ],
  next: ['use_trusted_value', 'ask_owner'],
  approval: undefined,
  unknownSinceMs: undefined,
  waitSeconds: undefined,
  reason: undefined,
  ...more,
});

describe('reportText', () => {
  it('begins with the stage, names the argument, the steps and the decision', () => {
    expect(reportText(aReport(), context).split('\n')).toEqual([
      'Blocked by intentplane: [provenance] a value does not come from a trusted source (PROVENANCE_UNTRUSTED).',
      '- `to[0].iban`: a value does not come from a trusted source; given "DE00"; looked up in registry:payees',
      'Next: use a trusted value; intentplane_list_trusted lists them.',
      'Next: ask the owner of this gateway.',
      'Decision id: dec_1',
    ]);
  });

  it('calls an internal failure by the name that older programs know', () => {
    const report = aReport({ stage: 'receipt', codes: ['INTERNAL'], failures: [], next: [] });
    expect(reportText(report, context)).toMatch(/^Blocked by intentplane: \[error\] /);
  });

  verifies('MCP-A2', 'echoes one value, clipped, on one line, with nothing hidden in it', () => {
    const given = `a\n\u202e\u0000${'b'.repeat(200)}`;
    const failures = [1, 2].map((index) => ({
      code: 'CONTRACT_TYPE' as const,
      path: `p${index}`,
      given,
    }));
    const text = reportText(aReport({ failures }), context);
    expect(text.match(/given/g)).toHaveLength(1);
    expect(text).toContain('given "aU+000AU+202EU+0000bbb');
    expect(text).not.toMatch(/[\u202e\0]/);
    expect(quoted(given).length).toBeLessThanOrEqual(82);
  });

  it('stays within 1,500 characters and keeps first and last line', () => {
    const failures = Array.from({ length: 100 }, (_, index) => ({
      code: 'CONTRACT_UNEXPECTED_VALUE' as const,
      path: `argument_${index}`,
    }));
    const text = reportText(aReport({ failures }), context);
    expect(text.length).toBeLessThanOrEqual(1500);
    expect(text).toMatch(/^Blocked by intentplane/);
    expect(text).toMatch(/Decision id: dec_1$/);
  });

  it('speaks of every next step', () => {
    const next = ['fix_argument', 'open_link', 'wait', 'do_not_repeat', 'stop'] as const;
    const text = reportText(aReport({ next: [...next, 'repeat_same_call'] }), context);
    expect(text.match(/^(Next|Do|Stop|Then)/gm)).toHaveLength(6);
    const without = reportText(aReport(), { ...context, hasOwnTools: false });
    expect(without).not.toContain('intentplane_list_trusted');
  });
});

describe('reportObject', () => {
  it('has the fields of a refusal', () => {
    expect(reportObject(aReport(), context)).toEqual({
      decision_id: 'dec_1',
      status: 'denied',
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED'],
      parameter: 'to[0].iban',
      parameters: ['to[0].iban'],
      tried_sources: ['registry:payees'],
      next: [
        { do: 'use_trusted_value', tool: 'intentplane_list_trusted', registry: 'payees' },
        { do: 'ask_owner' },
      ],
    });
  });

  it('has the fields of a pending answer', () => {
    const approval = {
      approvalId: 'a1',
      opHash: 'ff',
      level: 1 as const,
      url: 'http://127.0.0.1:1/a1',
      expiresMs: 1_700_000_000_000,
      sentence: 'Pay',
      summary: 'Pay',
      rest: undefined,
      reasons: [],
      values: [],
      how: 'both' as const,
    };
    const report = aReport({
      status: 'pending',
      opId: 'op',
      stage: 'approval',
      codes: ['APPROVAL_PENDING'],
      failures: [],
      next: ['open_link', 'repeat_same_call'],
      approval,
    });
    expect(reportObject(report, context)).toEqual({
      decision_id: 'dec_1',
      op_id: 'op',
      status: 'pending',
      stage: 'approval',
      codes: ['APPROVAL_PENDING'],
      next: [
        { do: 'open_link', url: 'http://127.0.0.1:1/a1' },
        { do: 'repeat_same_call', after: 'approval' },
      ],
      approval: {
        id: 'a1',
        level: 1,
        url: 'http://127.0.0.1:1/a1',
        expires_at: '2023-11-14T22:13:20.000Z',
        summary: 'Pay',
        how: 'both',
      },
    });
    const text = reportText(report, context);
    expect(text).toContain('confirm it at http://127.0.0.1:1/a1');
    const noPage = { ...report, approval: { ...approval, url: undefined } };
    expect(reportText(noPage, context)).toContain('the person confirms it, until');
  });

  it('has the outcome of an unknown one, and an expected form where it is known', () => {
    const unknown = aReport({
      status: 'unknown',
      stage: 'execution',
      codes: ['EXECUTION_UNKNOWN'],
      failures: [],
      next: ['do_not_repeat'],
      unknownSinceMs: 0,
    });
    expect(reportObject(unknown, context)).toMatchObject({
      outcome: { since: '1970-01-01T00:00:00.000Z', may_repeat: false },
    });
    const failures = [{ code: 'CONTRACT_TYPE' as const, path: 'a', expected: 'a number' }];
    const fix = reportObject(aReport({ failures, next: ['fix_argument'] }), context);
    expect(fix).toMatchObject({ next: [{ do: 'fix_argument', expected: 'a number' }] });
  });
});

describe('reportResult', () => {
  it('is an error with the object in _meta, structured only without an output schema', () => {
    const plain = reportResult(aReport(), context);
    expect(plain).toMatchObject({ isError: true, structuredContent: { decision_id: 'dec_1' } });
    const strict = reportResult(aReport(), { ...context, hasOutputSchema: true });
    expect('structuredContent' in strict).toBe(false);
    expect(strict['_meta']).toEqual(plain['_meta']);
  });
});
