// Texts that other programs hash, match or store. A change here is a new version of a format.
import { describe, expect, it } from 'vitest';
import { opHash } from '../../src/core/op-hash.ts';
import { ownToolDefinitions } from '../../src/proxy/own-tool-definitions.ts';
import { reportResult } from '../../src/proxy/report-result.ts';
import { createBundle } from '../../src/receipts/create-bundle.ts';

describe('op_hash', () => {
  it('is SHA-256 over label, zero byte and preimage', () => {
    expect(opHash('{}')).toBe('a4196b42a658087d4aaf2a009161044f50fec1255fbb788c90c39cd10f7acbc2');
  });
});

describe('the result of a refused call', () => {
  it('has this shape for programs and these words for agents', () => {
    const result = reportResult(
      {
        decisionId: 'd'.repeat(32),
        opId: undefined,
        status: 'denied',
        stage: 'provenance',
        codes: ['PROVENANCE_UNTRUSTED'],
        failures: [
          {
            code: 'PROVENANCE_UNTRUSTED',
            path: 'recipient',
            given: 'LT12',
            triedSources: ['registry:vendors'],
          },
        ],
        next: ['use_trusted_value', 'ask_owner'],
        approval: undefined,
        unknownSinceMs: undefined,
        waitSeconds: undefined,
        reason: undefined,
      },
      { hasOutputSchema: false, hasOwnTools: true },
    );
    const decision = {
      decision_id: 'dddddddddddddddddddddddddddddddd',
      status: 'denied',
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED'],
      parameter: 'recipient',
      parameters: ['recipient'],
      tried_sources: ['registry:vendors'],
      next: [
        { do: 'use_trusted_value', tool: 'intentplane_list_trusted', registry: 'vendors' },
        { do: 'ask_owner' },
      ],
    };
    expect(result).toEqual({
      content: [
        {
          type: 'text',
          text: [
            'Blocked by intentplane: [provenance] a value does not come from a trusted source (PROVENANCE_UNTRUSTED).',
            '- `recipient`: a value does not come from a trusted source; given "LT12"; looked up in registry:vendors',
            'Next: use a trusted value; intentplane_list_trusted lists them.',
            'Next: ask the owner of this gateway.',
            'Decision id: dddddddddddddddddddddddddddddddd',
          ].join('\n'),
        },
      ],
      structuredContent: decision,
      isError: true,
      _meta: { 'io.intentplane/decision': decision },
    });
  });
});

describe('own tools', () => {
  it('have these names and arguments', () => {
    const shapes = ownToolDefinitions.map(({ name, inputSchema }) => {
      const { properties, required = [] } = inputSchema as {
        readonly properties: Readonly<Record<string, unknown>>;
        readonly required?: readonly string[];
      };
      return [name, Object.keys(properties), required];
    });
    expect(shapes).toEqual([
      ['intentplane_list_trusted', ['registry'], []],
      ['intentplane_explain', ['decision_id'], ['decision_id']],
      ['intentplane_status', [], []],
    ]);
  });
});

describe('a receipt bundle', () => {
  it('has these members', () => {
    const bundle = createBundle({
      seq: 0,
      leaf: new TextEncoder().encode('{}'),
      disclosed: { principal: { salt: 'AA', value: '"maya"' } },
      size: 1,
      checkpoint: 'note',
      readNode: () => new Uint8Array(32),
    });
    const parsed = JSON.parse(bundle) as Record<string, unknown>;
    expect(parsed['format']).toBe('intentplane-receipt/1');
    expect(Object.keys(parsed).sort()).toEqual([
      'disclosed',
      'evidence',
      'format',
      'leaf',
      'proof',
    ]);
  });
});
