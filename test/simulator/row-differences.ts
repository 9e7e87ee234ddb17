// The rows of the store beside those of the reference gateway.
import type { MemoryTables } from '../../src/stores/memory/memory-tables.ts';
import type { ReferenceGateway } from './reference-gateway.ts';

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One line per row that is not as it must be. */
export function rowDifferences(reference: ReferenceGateway, tables: MemoryTables): string[] {
  return [
    ...compare(
      'operation',
      { product: tables.operations, reference: reference.operations },
      (row) => ({
        state: row.state,
        attempt: row.attempt,
        owner: row.owner,
        outcome: row.outcome,
        told: row.told,
        movedMs: row.movedMs,
      }),
    ),
    ...compare(
      'approval',
      { product: tables.approvals, reference: reference.approvals },
      (row) => ({
        state: row.state,
        told: row.told,
        opId: row.opId,
        expiresMs: row.expiresMs,
      }),
    ),
    ...compare('mandate', { product: tables.mandates, reference: reference.mandates }, (row) => ({
      status: row.status,
      expiresMs: row.expiresMs,
    })),
    ...budgets(reference, tables),
  ];
}

function budgets(reference: ReferenceGateway, tables: MemoryTables): readonly string[] {
  return [...tables.budgets.values()].flatMap((budget) => {
    const { budgetRoot, kind, reserved, spent } = budget;
    const expected = reference.used(budgetRoot, kind);
    if (expected.reserved === reserved && expected.spent === spent) return [];
    return [
      `budget ${kind} is ${reserved} reserved and ${spent} spent, not ${expected.reserved} and ${expected.spent}`,
    ];
  });
}

interface Rows<P, R> {
  readonly product: ReadonlyMap<string, P>;
  readonly reference: ReadonlyMap<string, R>;
}

/** `R` are rows of the reference gateway: they have the same names for the same things. */
function compare<P extends object, R extends object>(
  what: string,
  { product, reference }: Rows<P, R>,
  fieldsOf: (row: P) => Fields,
): readonly string[] {
  const missing = [...reference.keys()].filter((id) => !product.has(id));
  const wrong = [...product].flatMap(([id, row]) => {
    const expected = reference.get(id) as Fields | undefined;
    if (expected === undefined) return [`${what} ${id} should not be there`];
    return Object.entries(fieldsOf(row)).flatMap(([name, value]) =>
      value === expected[name] ? [] : [`${what} ${name} is ${value}, not ${expected[name]}`],
    );
  });
  return [...missing.map((id) => `${what} ${id} is missing`), ...wrong];
}
