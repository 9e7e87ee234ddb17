import { describe, expect, it } from 'vitest';
import { anApprovalRow, anOperationRow } from '../../testing/move-builders.ts';
import { aCall, aProposal } from '../../testing/store-builders.ts';
import type { Allow, Ask, Deny, ResolvedValue } from '../decision.ts';
import { sha256Hex } from '../sha256.ts';
import { attemptLeaf, decisionLeaf, proposalLeaf, requestLeaf } from './decision-leaves.ts';
import type { ProposalDraft } from './proposal-draft.ts';

const draft = aProposal({ mandateId: 'mandate-1', owner: 'process-1' });
const facts = aCall();
const plain: ResolvedValue = {
  param: 'amount',
  path: 'amount',
  canonical: 10,
  display: '10',
  send: 10,
  replaced: false,
  byReference: false,
  source: '',
  origin: 'untrusted',
  warnings: [],
};
const trusted: ResolvedValue = {
  ...plain,
  param: 'iban',
  path: 'to.iban',
  canonical: 'DE89',
  display: 'DE 89',
  source: 'registry:vendors',
  recordId: 'v-17',
  recordVersion: '3',
  recordChangedAtMs: 5,
  warnings: ['new'],
};
const allow: Allow = { kind: 'allow', level: 0, values: [plain], rules: [], reasons: [] };
const ask: Ask = {
  kind: 'ask',
  level: 1,
  values: [plain, trusted],
  rules: ['above-100'],
  reasons: [
    { kind: 'contract' },
    { kind: 'duplicate', path: 'iban', detail: 'again', opId: '33'.repeat(16) },
  ],
};

describe('proposalLeaf', () => {
  it('commits the arguments as they came, or their hash when they are too long', () => {
    expect(proposalLeaf(draft)).toEqual({
      type: 'proposal',
      opId: draft.opId,
      open: { action: 'payment.send', channel: 'mcp-stdio', raw_bytes: draft.rawBytes },
      committed: { raw: draft.raw, client: 'a client' },
    });
    const long = { ...draft, raw: undefined, rawHash: 'h', client: undefined };
    expect(proposalLeaf(long).committed).toEqual({ raw_sha256: 'h' });
    expect(proposalLeaf({ ...long, rawHash: undefined }).committed).toEqual({ raw_sha256: '' });
  });
});

describe('decisionLeaf', () => {
  it('of an allow: level and bindings open, values committed', () => {
    const leaf = decisionLeaf(allow, { facts, draft, preimage: 'p', opHash: 'h' });
    expect(leaf).toMatchObject({ state: 'DISPATCHING', open: { decision: 'allow', level: 0 } });
    expect(leaf).not.toHaveProperty('code');
    expect(leaf.open).toMatchObject({ op_hash: 'h', codes: [], mandate: 'mandate-1' });
    expect(leaf.open).not.toHaveProperty('repeats');
    expect(leaf.committed).toEqual({
      'param.amount': { canonical: 10, source: '' },
      preimage: 'p',
      call: draft.call,
    });
  });

  it('of an allow that carries out an earlier operation', () => {
    const leaf = decisionLeaf({ ...allow, consumes: 'op-1' }, { facts, draft });
    expect(leaf.open).toMatchObject({ repeats: 'op-1' });
    expect(leaf.committed).not.toHaveProperty('preimage');
  });

  it('of an ask: rules and reasons, and the record behind each value', () => {
    const context = { facts, draft: { ...draft, call: undefined } as ProposalDraft, preimage: 'p' };
    const leaf = decisionLeaf(ask, context);
    expect(leaf).toMatchObject({ state: 'ASKING', code: 'APPROVAL_PENDING' });
    expect(leaf.committed).toEqual({
      'param.amount': { canonical: 10, source: '' },
      'param.to.iban': {
        canonical: 'DE89',
        source: 'registry:vendors',
        record: 'v-17',
        version: '3',
        warnings: ['new'],
      },
      rules: ['above-100'],
      reasons: [
        { kind: 'contract' },
        { kind: 'duplicate', path: 'iban', detail: 'again', op: '33'.repeat(16) },
      ],
      preimage: 'p',
    });
  });

  it('of an ask that joins a waiting operation', () => {
    const leaf = decisionLeaf({ ...ask, joins: 'op-1' }, { facts, draft });
    expect(leaf.open).toMatchObject({ joins: 'op-1' });
  });

  it('of a deny: codes open, what failed committed', () => {
    const deny: Deny = {
      kind: 'deny',
      stage: 'provenance',
      failures: [
        { code: 'PROVENANCE_UNTRUSTED', path: 'iban', triedSources: ['registry:vendors'] },
        { code: 'PROVENANCE_STALE', detail: 'old', rules: ['r'] },
        { code: 'EXECUTION_DUPLICATE', opId: 'op-1' },
      ],
    };
    const leaf = decisionLeaf(deny, { facts, draft });
    expect(leaf).toMatchObject({ state: 'DENIED', code: 'PROVENANCE_UNTRUSTED' });
    expect(leaf.open).toMatchObject({
      stage: 'provenance',
      codes: ['PROVENANCE_UNTRUSTED', 'PROVENANCE_STALE', 'EXECUTION_DUPLICATE'],
      repeats: 'op-1',
    });
    expect(leaf.committed).toEqual({
      reasons: [
        { code: 'PROVENANCE_UNTRUSTED', path: 'iban', sources: ['registry:vendors'] },
        { code: 'PROVENANCE_STALE', detail: 'old', rules: ['r'] },
        { code: 'EXECUTION_DUPLICATE' },
      ],
    });
  });
});

describe('requestLeaf', () => {
  it('commits what a person sees as one value', () => {
    const approval = anApprovalRow();
    const leaf = requestLeaf(ask, { draft: { ...draft, rest: '{}' }, approval, opHash: 'h' });
    expect(leaf.open).toEqual({
      request: approval.approvalId,
      op_hash: 'h',
      level: 1,
      quorum: 1,
      expires: approval.expiresMs,
    });
    expect(leaf.committed['view']).toMatchObject({
      sentence: draft.sentence,
      summary: draft.summary,
      rest: '{}',
      reasons: [{ kind: 'contract' }, { kind: 'duplicate' }],
      values: [
        { label: 'Amount', path: 'amount', display: '10', source: '', warnings: [] },
        {
          label: 'iban',
          path: 'to.iban',
          display: 'DE 89',
          source: 'registry:vendors',
          record: 'v-17',
          version: '3',
          changed: 5,
          warnings: ['new'],
        },
      ],
    });
    const short = requestLeaf(ask, { draft, approval, opHash: 'h' });
    expect(short.committed['view']).not.toHaveProperty('rest');
  });
});

describe('attemptLeaf', () => {
  it('says what will be sent before it leaves', () => {
    const operation = anOperationRow({ deadlineMs: 9 });
    const move = { kind: 'reserve', budgetId: 'b', opId: operation.opId, amount: 5 } as const;
    const moves = [{ ...move, atMs: 9, agesMs: undefined }];
    const context = { operation, call: '{}', approvals: ['a'] };
    const leaf = attemptLeaf(draft, { ...context, moves, prev: 'ASKING' });
    expect(leaf).toMatchObject({ prev: 'ASKING', state: 'DISPATCHING' });
    expect(leaf.open).toEqual({
      attempt: 1,
      connector: 'mcp',
      key: `ip_${operation.opId}`,
      deadline: 9,
      approvals: ['a'],
    });
    expect(leaf.committed).toEqual({
      call_sha256: sha256Hex('{}'),
      reserved: [{ budget: 'b', amount: 5 }],
    });
  });

  it('leaves out what there is not', () => {
    const operation = anOperationRow({ deadlineMs: undefined });
    const context = { operation, call: '{}', moves: [], approvals: [], prev: undefined };
    const leaf = attemptLeaf(draft, context);
    expect(leaf).not.toHaveProperty('prev');
    expect(leaf.open).toMatchObject({ deadline: 0 });
    expect(Object.keys(leaf.committed)).toEqual(['call_sha256']);
  });
});
