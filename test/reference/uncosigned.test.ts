// A gateway whose receipts wait too long for a witness: nothing more reaches the server.
import { describe, expect } from 'vitest';
import { verifies } from '../requirements/verifies.ts';
import { createInProcessGateway } from './in-process-gateway.ts';

const file = `[gateway]
store = "sqlite::memory:"
[[servers]]
name = "bank"
command = "true"
[[tools]]
server = "bank"
tool = "note"
[tools.params.text]
[policy]
file = "policy.cedar"
`;
const textSchema = { type: 'object', properties: { text: { type: 'string' } } };

describe('receipts that no witness has seen', () => {
  verifies('RCP-22', 'refuse every call while they wait too long, and no longer', async () => {
    let isUncosigned = false;
    const world = await createInProcessGateway({
      files: {
        'intentplane.toml': file,
        'policy.cedar': 'permit (principal, action, resource);',
      },
      schemas: { 'bank.note': textSchema },
      change: () => ({ isUncosigned: () => isUncosigned }),
    });
    const call = (text: string) => world.call('bank.note', { text });
    expect((await call('one')).kind).toBe('executed');
    isUncosigned = true;
    const { size } = await world.store.readTree();
    expect(await call('two')).toMatchObject({
      kind: 'report',
      report: {
        codes: ['RECEIPT_UNAVAILABLE'],
        failures: [{ code: 'RECEIPT_UNAVAILABLE', detail: 'witness_behind' }],
      },
    });
    expect(world.effects).toHaveLength(1);
    expect((await world.store.readTree()).size).toBe(size);
    isUncosigned = false;
    expect((await call('three')).kind).toBe('executed');
  });
});
