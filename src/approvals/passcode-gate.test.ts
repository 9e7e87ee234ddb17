import { describe, expect, it } from 'vitest';
import {
  failuresInMemory,
  passcode,
  testPasscode,
} from '../../test/fixtures/page/start-test-page.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { PasscodeGate } from './passcode-gate.ts';

const minuteMs = 60_000;

async function makeGate() {
  const clock = { nowMs: 1_000_000 };
  const nowMs = (): number => clock.nowMs;
  const options = { passcode: await testPasscode(), failures: failuresInMemory(nowMs), nowMs };
  return { clock, options, gate: new PasscodeGate(options) };
}

describe('PasscodeGate', () => {
  it('opens for the passcode and for nothing else', async () => {
    const { gate } = await makeGate();
    expect(await gate.check(passcode)).toEqual({ kind: 'right' });
    expect(await gate.check(`${passcode} `)).toEqual({ kind: 'wrong' });
    expect(await gate.check('')).toEqual({ kind: 'wrong' });
    expect(await gate.check('x'.repeat(5_000))).toEqual({ kind: 'wrong' });
  });

  verifies('APR-13', 'locks after 5 failures for 1 min, and doubles', async () => {
    const { gate, clock } = await makeGate();
    for (let failure = 1; failure <= 5; failure += 1) {
      expect(await gate.check('wrong horse')).toEqual({ kind: 'wrong' });
    }
    const untilMs = clock.nowMs + minuteMs;
    expect(await gate.check(passcode)).toEqual({ kind: 'locked', untilMs });
    clock.nowMs = untilMs - 1;
    expect(await gate.check(passcode)).toEqual({ kind: 'locked', untilMs });
    clock.nowMs = untilMs;
    expect(await gate.check('wrong horse')).toEqual({ kind: 'wrong' });
    expect(await gate.check(passcode)).toEqual({ kind: 'locked', untilMs: untilMs + 2 * minuteMs });
    clock.nowMs = untilMs + 2 * minuteMs;
    expect(await gate.check(passcode)).toEqual({ kind: 'right' });
  });

  verifies('APR-13', 'forgets failures after the right passcode', async () => {
    const { gate } = await makeGate();
    for (let failure = 1; failure <= 4; failure += 1) await gate.check('wrong horse');
    expect(await gate.check(passcode)).toEqual({ kind: 'right' });
    for (let failure = 1; failure <= 4; failure += 1) await gate.check('wrong horse');
    expect(await gate.check(passcode)).toEqual({ kind: 'right' });
  });

  verifies('APR-13', 'hashes two at a time and turns others away uncounted', async () => {
    const { gate, options } = await makeGate();
    const verdicts = await Promise.all(
      ['wrong horse', 'wrong mule', passcode].map((text) => gate.check(text)),
    );
    expect(verdicts.map(({ kind }) => kind)).toEqual(['wrong', 'wrong', 'busy']);
    expect(await options.failures.read()).toMatchObject({ failures: 2 });
    expect(await gate.check(passcode)).toEqual({ kind: 'right' });
  });

  verifies('APR-28.11', 'takes 20 tries a minute in total', async () => {
    const { gate, clock } = await makeGate();
    for (let tries = 1; tries <= 20; tries += 1) await gate.check('short');
    expect(await gate.check(passcode)).toEqual({
      kind: 'busy',
      untilMs: clock.nowMs + minuteMs,
    });
    clock.nowMs += minuteMs;
    expect((await gate.check(passcode)).kind).toBe('right');
  });

  it('does not open for a right guess while a guess beside it has locked the person', async () => {
    const { gate, options } = await makeGate();
    for (let failure = 1; failure <= 4; failure += 1) await options.failures.count();
    const right = gate.check(passcode);
    await options.failures.count();
    expect(await right).toMatchObject({ kind: 'locked' });
  });

  it('gives its place back when the failures cannot be read', async () => {
    const { options } = await makeGate();
    const broken = { ...options.failures, read: () => Promise.reject(new Error('no store')) };
    const gate = new PasscodeGate({ ...options, failures: broken });
    for (let tries = 1; tries <= 3; tries += 1) {
      await expect(gate.check(passcode)).rejects.toThrow('no store');
    }
  });

  it('leaves the event loop free while it hashes', async () => {
    const { gate } = await makeGate();
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await gate.check(passcode);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });
});
