// `intentplane people` on a real store: who is there, who may change that, and codes to enrol with.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunResult, World } from '../../fixtures/product/world.ts';
import { ownerPasscode, passcodeTable } from '../../fixtures/product/world-files.ts';
import { verifies } from '../../requirements/verifies.ts';

let world: World;
beforeAll(async () => {
  world = new World({ approvals: await passcodeTable('wait = 0\nlisten = "127.0.0.1:0"') });
});
afterAll(() => world.close());

const people = (command: string, input = `${ownerPasscode}\n`): Promise<RunResult> =>
  world.runHere(['people', ...command.split(' '), '--json'], { input });

describe('people', () => {
  verifies('APR-09', 'are added by the owner until somebody is an administrator', async () => {
    expect((await people('list')).json).toEqual({ ok: true, people: [] });
    const added = await people('add ann --roles admin,approver --name Ann');
    expect(added).toMatchObject({ code: 0, json: { ok: true } });
    expect(added.json.code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(added.json.url).toMatch(/^http:\/\/localhost:\d+\/enrol$/);
    expect((await people('list')).json.people).toEqual([
      {
        id: 'ann',
        name: 'Ann',
        roles: ['admin', 'approver'],
        status: 'active',
        owner: false,
        passkeys: 0,
        passcode: false,
        from: 'command',
      },
    ]);
    expect(await people('add bob')).toMatchObject({
      code: 1,
      json: { ok: false, error: 'BY_NO_ADMIN' },
    });
    expect(await people('code ann --by ann')).toMatchObject({
      code: 1,
      json: { ok: false, error: 'BY_CONCERNED' },
    });
    expect(await people('add bob --by ann')).toMatchObject({
      code: 1,
      json: { ok: false, error: 'WRONG_PASSCODE' },
    });
    expect(await people('add bob --by nobody')).toMatchObject({
      code: 1,
      json: { ok: false, error: 'BY_UNKNOWN' },
    });
    expect((await people('list')).json.people).toHaveLength(1);
  });

  it('are named and asked for in words', async () => {
    const wrong = async (command: string): Promise<string> => {
      const { code, json } = await people(command);
      expect(code).toBe(2);
      return String(json.error);
    };
    expect(await wrong('add')).toContain('PERSON');
    expect(await wrong('add a@b')).toContain('name one person');
    expect(await wrong('add ann')).toContain('`ann` is there already');
    expect(await wrong('add cem --roles Boss')).toContain('`Boss` is no role');
    expect(await wrong('code nobody')).toContain('`nobody` is nobody here');
    expect(await wrong('reset nobody')).toContain('`nobody` is nobody here');
    expect(await wrong('remove nobody')).toContain('`nobody` is nobody here');
  });

  it('of the configuration come and go with it', async () => {
    const other = new World({
      approvals: `${await passcodeTable('wait = 0')}\n[[people]]\nid = "dee"\nroles = ["approver"]\n`,
    });
    try {
      const run = (command: string): Promise<RunResult> =>
        other.runHere(['people', ...command.split(' '), '--json'], { input: `${ownerPasscode}\n` });
      expect((await run('list')).json.people).toMatchObject([{ id: 'dee', from: 'configuration' }]);
      expect((await run('remove dee')).json.error).toContain('stands in the configuration');
      const wrong = await other.runHere(['people', 'reset', 'dee', '--json'], { input: 'wrong\n' });
      expect(wrong).toMatchObject({ code: 1, json: { error: 'WRONG_PASSCODE' } });
      expect(await run('reset dee')).toMatchObject({ code: 0, json: { ok: true } });
      expect(await run('add zoe')).toMatchObject({ code: 0 });
      expect(await run('remove zoe')).toMatchObject({ code: 0 });
      expect((await run('list')).json.people).toMatchObject([
        { id: 'dee', status: 'active' },
        { id: 'zoe', status: 'removed' },
      ]);
    } finally {
      await other.close();
    }
  });
});
