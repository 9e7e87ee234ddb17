// What every connector to a target that honours keys and can be asked must do, run by each of them.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommittedOperation, Connector, Lookup } from '../connectors/connector.ts';
import type { Contract } from '../core/contract.ts';
import { attemptKey } from '../core/operation.ts';
import { testId } from './store-builders.ts';

/** How the target misbehaves until it is told otherwise. */
export type TargetMode =
  | 'well'
  | 'dies-before-effect'
  | 'dies-after-effect'
  | 'never-answers'
  | 'rejects'
  | 'down'
  | 'finds-nothing'
  | 'finds-other-amount'
  | 'finds-no-amount'
  | 'finds-other-key'
  | 'finds-odd-status'
  | 'dies-when-asked';

/** A connector with a real or faithful target behind it. */
export interface ConnectorStage {
  readonly connector: Connector;
  /** With a key, a look-up, and an amount in hundredths. */
  readonly contract: Contract;
  /** The operation that pays this amount, in the unit of the target. */
  operation(opId: string, amount: number): CommittedOperation;
  /** Keys under which something happened, in order. */
  effects(): readonly string[];
  /** Resolves when the target is as it should be. */
  behave(mode: TargetMode): Promise<void>;
  close(): Promise<void>;
}

/** Registers the whole suite for one kind of connector; each test gets a stage of its own. */
export function testConnector(name: string, makeStage: () => Promise<ConnectorStage>): void {
  describe(name, () => {
    let stage: ConnectorStage;
    let opId: string;
    beforeEach(async () => {
      opId = testId();
      stage = await makeStage();
    });
    afterEach(() => stage.close());

    const execute = async (attempt = 1) =>
      (
        await stage.connector.execute(stage.operation(opId, 12.5), {
          key: attemptKey(opId),
          attempt,
          deadlineMs: Number.MAX_SAFE_INTEGER,
          meta: undefined,
          onProgress: undefined,
        })
      ).class;
    const lookUp = async () => {
      const lookup: Lookup = {
        contract: stage.contract,
        key: attemptKey(opId),
        firstSentMs: 0,
        timeoutMs: 20_000,
      };
      return stage.connector.reconcile?.(stage.operation(opId, 12.5), lookup);
    };
    const booked = { kind: 'succeeded', amount: 1250, reference: expect.any(String) };

    it('EXE-12: promises what its contract says', () => {
      expect(stage.connector.idempotent).toBe(true);
      expect(stage.connector.promises?.(stage.contract)).toEqual({
        keyLifetimeMs: stage.contract.idempotency?.lifetimeMs,
        canReconcile: true,
        absenceFinalAfterMs: stage.contract.reconcile?.absenceFinalAfterMs,
      });
      const { idempotency: _key, reconcile: _rule, ...plain } = stage.contract;
      expect(stage.connector.promises?.(plain)).toEqual({
        keyLifetimeMs: undefined,
        canReconcile: false,
        absenceFinalAfterMs: undefined,
      });
    });

    it('EXE-12: crash after send: ambiguous, and the target knows better', async () => {
      await stage.behave('dies-after-effect');
      expect(await execute()).toBe('AMBIGUOUS');
      await stage.behave('well');
      expect(await lookUp()).toEqual(booked);
      expect(stage.effects()).toEqual([attemptKey(opId)]);
    });

    it('EXE-12: absent, then present: a second attempt under the same key is the one effect', async () => {
      await stage.behave('dies-before-effect');
      expect(await execute()).toBe('AMBIGUOUS');
      await stage.behave('well');
      expect(await lookUp()).toEqual({ kind: 'absent' });
      expect(stage.effects()).toEqual([]);
      expect(await execute(2)).toBe('SUCCESS');
      expect(await lookUp()).toEqual(booked);
      expect(stage.effects()).toEqual([attemptKey(opId)]);
    });

    it('EXE-12: a key that is sent twice has one effect', async () => {
      expect(await execute()).toBe('SUCCESS');
      expect(await execute(2)).toBe('SUCCESS');
      expect(stage.effects()).toEqual([attemptKey(opId)]);
    });

    it('EXE-12: an answer that never comes is ambiguous, although it happened', async () => {
      await stage.behave('never-answers');
      expect(await execute()).toBe('AMBIGUOUS');
      expect(await lookUp()).toEqual(booked);
    });

    it('EXE-12: refused before it began, or not sent at all, is no effect', async () => {
      await stage.behave('rejects');
      expect(await execute()).toBe('REJECTED');
      await stage.behave('down');
      expect(await execute()).toBe('NOT_SENT');
      expect(stage.effects()).toEqual([]);
    });

    it('EXE-12: another amount than was asked is told as it is', async () => {
      await execute();
      await stage.behave('finds-other-amount');
      expect(await lookUp()).toMatchObject({ kind: 'succeeded', amount: 1350 });
    });

    it.each(['finds-no-amount', 'finds-other-key'] as const)(
      'EXE-12: a target that %s settles nothing and is an alarm',
      async (mode) => {
        await execute();
        await stage.behave(mode);
        expect(await lookUp()).toMatchObject({ kind: 'unclear', isAlarm: true });
      },
    );

    it.each(['finds-odd-status', 'dies-when-asked', 'down'] as const)(
      'EXE-12: a target that %s settles nothing',
      async (mode) => {
        await execute();
        await stage.behave(mode);
        expect(await lookUp()).toMatchObject({ kind: 'unclear' });
      },
    );

    it('EXE-12: looking changes nothing', async () => {
      expect(await lookUp()).toEqual({ kind: 'absent' });
      await execute();
      for (let i = 0; i < 3; i += 1) await lookUp();
      await stage.behave('finds-nothing');
      expect(await lookUp()).toEqual({ kind: 'absent' });
      expect(stage.effects()).toEqual([attemptKey(opId)]);
    });
  });
}
