// The one Cedar engine of this thread, and its two slots of prepared policy sets. Cedar keeps
// prepared sets by name for ever, so names are reused: a reload fills the slot that is not in use.
import { createRequire } from 'node:module';
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs';

type CedarEngine = typeof Cedar;

/** A policy set as Cedar takes it: rule id → text. */
export type CedarPolicies = Readonly<Record<string, string>>;

interface Slot {
  readonly name: string;
  owner: object | undefined;
  /** Position → name of the set that Cedar holds. */
  readonly prepared: Map<number, string>;
}

const requirePackage = createRequire(import.meta.url);
const packageName = '@cedar-policy/cedar-wasm/nodejs';

let engine: CedarEngine | undefined;
let isInCall = false;
let slots: readonly [Slot, Slot] = emptySlots();
let lastUsed: 0 | 1 = 0;

/**
 * Runs one call of the engine; calls do not nest. The engine is loaded at the first one (25 ms).
 * After an exception its stack stays as it was and every later call could fail, so the next one
 * gets a fresh engine, and the sets are prepared again.
 */
export function withCedar<T>(call: (engine: CedarEngine) => T): T {
  discardBrokenEngine();
  engine ??= requirePackage(packageName) as CedarEngine;
  isInCall = true;
  const result = call(engine);
  isInCall = false;
  return result;
}

/** Name under which Cedar holds set `position` of `owner`; prepares it at the first use. */
export function preparedSetName(
  owner: object,
  position: number,
  policiesOf: (position: number) => CedarPolicies,
): string {
  discardBrokenEngine();
  const slot = slotOf(owner);
  const known = slot.prepared.get(position);
  if (known !== undefined) return known;
  const name = `${slot.name}/${position}`;
  prepare(name, policiesOf(position));
  slot.prepared.set(position, name);
  return name;
}

// A flag that is still set is the only sign that survives when the stack itself ran out.
function discardBrokenEngine(): void {
  if (!isInCall) return;
  delete requirePackage.cache[requirePackage.resolve(packageName)];
  engine = undefined;
  slots = emptySlots();
  isInCall = false;
}

// More than two live sets in one thread are legal: the one used least recently gives way and is
// prepared again at its next use. A set is never evaluated under another owner's name.
function slotOf(owner: object): Slot {
  if (slots[lastUsed].owner === owner) return slots[lastUsed];
  lastUsed = lastUsed === 0 ? 1 : 0;
  const slot = slots[lastUsed];
  if (slot.owner !== owner) takeOver(slot, owner);
  return slot;
}

function takeOver(slot: Slot, owner: object): void {
  slot.owner = undefined;
  for (const name of slot.prepared.values()) prepare(name, {});
  slot.prepared.clear();
  slot.owner = owner;
}

function prepare(name: string, policies: CedarPolicies): void {
  const answer = withCedar((cedar) =>
    cedar.preparsePolicySet(name, { staticPolicies: { ...policies } }),
  );
  if (answer.type === 'failure') {
    throw new Error(`cedar refused a validated set: ${answer.errors[0]?.message}`);
  }
}

function emptySlots(): readonly [Slot, Slot] {
  return [
    { name: 'A', owner: undefined, prepared: new Map() },
    { name: 'B', owner: undefined, prepared: new Map() },
  ];
}
