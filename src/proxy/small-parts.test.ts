import { describe, expect, it } from 'vitest';
import { aContract } from '../../test/fixtures/proxy/proxy-harness.ts';
import { CallSlots, type Release } from './call-slots.ts';
import { guardSentence } from './guard-sentence.ts';
import { parseHostileText } from './hostile-text.ts';
import { composeInstructions } from './instructions.ts';
import { openRequestState, type RequestState, sealRequestState } from './request-state.ts';

describe('guardSentence', () => {
  it('names what fits into 300 characters', () => {
    const many = Array.from({ length: 40 }, (_, index) => `parameter_number_${index}`);
    const sentence = guardSentence([aContract(many)]);
    expect(sentence.length).toBeLessThanOrEqual(300);
    expect(sentence).toMatch(/parameter_number_0, .* and \d+ more must match trusted data/);
  });

  it('does without names when one alone is too long, and without any', () => {
    expect(guardSentence([aContract(['x'.repeat(400)])])).toContain('some arguments must match');
    expect(guardSentence([])).toMatch(/^Guarded by intentplane\. /);
  });
});

describe('CallSlots', () => {
  it('runs 32 of a server, lets another server pass, and starts the oldest next', () => {
    const slots = new CallSlots();
    const releases: Release[] = [];
    const started: string[] = [];
    const take = (server: string, name: string): ReturnType<CallSlots['take']> =>
      slots.take(server, (release) => {
        started.push(name);
        releases.push(release);
      });
    for (let index = 0; index < 32; index += 1) take('a', `a${index}`);
    expect(take('a', 'waits')?.isWaiting).toBe(true);
    const left = take('a', 'leaves');
    expect(take('b', 'other')?.isWaiting).toBe(false);
    expect(left?.leave()).toBe(true);
    releases[0]?.();
    releases[0]?.();
    expect(started.slice(-2)).toEqual(['other', 'waits']);
    expect(started).toHaveLength(34);
  });

  it('runs 256 in all and keeps 1,024 waiting', () => {
    const slots = new CallSlots();
    let started = 0;
    for (let server = 0; server < 9; server += 1) {
      for (let call = 0; call < 32; call += 1) {
        slots.take(`s${server}`, () => {
          started += 1;
        });
      }
    }
    expect(started).toBe(256);
    for (let call = 32; call < 1024; call += 1) expect(slots.take('s0', () => {})).toBeDefined();
    expect(slots.take('s0', () => {})).toBeUndefined();
  });
});

describe('parseHostileText', () => {
  it('keeps keys as keys, digits as digits, and refuses what else is wrong', () => {
    const parsed = parseHostileText('{"__proto__":{"constructor":1.50},"a":["\\ud800"]}');
    expect(JSON.stringify(parsed)).toBe('{"__proto__":{"constructor":1.50},"a":["\\ud800"]}');
    expect(Object.getPrototypeOf(parsed)).toBeNull();
    expect(parseHostileText('{"a":1,"a":2}')).toBeUndefined();
    expect(parseHostileText('{"a":')).toBeUndefined();
    expect(parseHostileText(`${'['.repeat(65)}${']'.repeat(65)}`)).toBeUndefined();
  });
});

describe('composeInstructions', () => {
  it('heads each block with its server and clips it to 4 KiB of whole characters', () => {
    const text = composeInstructions([
      { name: 'a', instructions: 'ä'.repeat(4000) },
      { name: 'b', instructions: undefined },
      { name: 'c', instructions: ' ' },
    ]);
    const block = text.split('\n\n# a\n')[1] ?? '';
    expect(Buffer.byteLength(block)).toBeLessThanOrEqual(4096 + 3);
    expect(block).not.toContain('\uFFFD');
    expect(text).not.toContain('# b');
    expect(text).not.toContain('# c');
  });
});

describe('request state', () => {
  it('opens with its own secret only', () => {
    const state = { principal: 'a', nonce: 'n' } as RequestState;
    const secret = new Uint8Array(32).fill(1);
    const sealed = sealRequestState(state, secret);
    expect(openRequestState(sealed, secret)).toEqual(state);
    expect(openRequestState(sealed, new Uint8Array(32).fill(2))).toBeUndefined();
    expect(sealRequestState(state, secret)).not.toBe(sealed);
    expect(openRequestState('', secret)).toBeUndefined();
  });
});
