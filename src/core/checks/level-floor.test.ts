import { describe, expect, it } from 'vitest';
import { aContract, aReadCall, someFacts } from '../../testing/contract-builders.ts';
import type { MandateFact, RepeatFact, TextFact } from '../facts.ts';
import { levelFloor } from './level-floor.ts';

const mandate = someFacts().live.mandate as MandateFact;
const none: RepeatFact = { kind: 'none' };
const unknownMail = { kind: 'email', text: 'x@evil.example', certain: true };
const aText = (changes: Partial<TextFact>): TextFact => ({
  path: 'body',
  onUnknown: 'ask',
  unknown: [],
  secret: false,
  ...changes,
});

describe('levelFloor', () => {
  it('is 0 when nothing demands more', () => {
    const call = aReadCall({ texts: [aText({})] });
    expect(levelFloor(call, mandate, none)).toEqual({ floor: 0, reasons: [] });
  });

  it('is the highest demand and names all of them', () => {
    const call = aReadCall({
      contract: aContract([], { levelFloor: 1 }),
      texts: [aText({ unknown: [unknownMail] })],
    });
    expect(levelFloor(call, { ...mandate, levelMin: 2 }, none)).toEqual({
      floor: 2,
      reasons: [
        { kind: 'contract' },
        { kind: 'mandate' },
        { kind: 'text', path: 'body', detail: 'email: x@evil.example' },
      ],
    });
  });

  it('is 1 for a text with an entity that nothing explains', () => {
    const call = aReadCall({ texts: [aText({ unknown: [unknownMail] })] });
    expect(levelFloor(call, mandate, none).floor).toBe(1);
  });

  it('is 1 right after an identical success, and for a repeat that settles a tool error', () => {
    const call = aReadCall();
    expect(levelFloor(call, mandate, { kind: 'recent_success', opId: 'o' })).toEqual({
      floor: 1,
      reasons: [{ kind: 'duplicate', opId: 'o' }],
    });
    expect(levelFloor(call, mandate, { kind: 'unknown', opId: 'o', toolError: true })).toEqual({
      floor: 1,
      reasons: [{ kind: 'tool_error', opId: 'o' }],
    });
    expect(levelFloor(call, mandate, { kind: 'unknown', opId: 'o', toolError: false }).floor).toBe(
      0,
    );
  });

  it('never falls below a request that is open or granted', () => {
    const call = aReadCall();
    expect(levelFloor(call, mandate, { kind: 'open', opId: 'o', level: 2 }).floor).toBe(2);
    const granted: RepeatFact = { kind: 'granted', opId: 'o', level: 1, changed: [] };
    expect(levelFloor(call, mandate, granted)).toEqual({
      floor: 1,
      reasons: [{ kind: 'open', opId: 'o' }],
    });
  });
});
