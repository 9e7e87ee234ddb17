// The lowest level at which an operation may run, whatever the policy says, and why.
import type { Level, LevelReason } from '../decision.ts';
import type { CallFact, Facts, MandateFact } from '../facts.ts';

type ReadCall = Extract<CallFact, { kind: 'read' }>;

/** Highest demand of contract, mandate, texts and earlier identical operations. */
export function levelFloor(
  call: ReadCall,
  mandate: MandateFact,
  repeat: Facts['live']['repeat'],
): { readonly floor: Level; readonly reasons: readonly LevelReason[] } {
  const reasons: LevelReason[] = [];
  let floor: Level = 0;
  const raise = (level: Level, reason: LevelReason): void => {
    if (level > 0) reasons.push(reason);
    if (level > floor) floor = level;
  };
  raise(call.contract.levelFloor, { kind: 'contract' });
  raise(mandate.levelMin, { kind: 'mandate' });
  for (const text of call.texts) {
    for (const entity of text.unknown) {
      raise(1, { kind: 'text', path: text.path, detail: `${entity.kind}: ${entity.text}` });
    }
  }
  if (repeat.kind === 'recent_success') raise(1, { kind: 'duplicate', opId: repeat.opId });
  if (repeat.kind === 'open' || repeat.kind === 'granted') {
    raise(repeat.level, { kind: 'open', opId: repeat.opId });
  }
  if (repeat.kind === 'unknown' && repeat.toolError) {
    raise(1, { kind: 'tool_error', opId: repeat.opId });
  }
  return { floor, reasons };
}
