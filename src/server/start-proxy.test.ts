// Everything behind one configuration, started and ended inside this process.

import { chmodSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { captureStreams } from '../../test/fixtures/capture-streams.ts';
import { approve, parseLink } from '../../test/fixtures/product/answer-on-page.ts';
import { startProxyInProcess } from '../../test/fixtures/product/proxy-in-process.ts';
import { codeOf, decisionOf, World } from '../../test/fixtures/product/world.ts';
import {
  bankServer,
  passcodeTable,
  strangerIban,
  vendorIban,
} from '../../test/fixtures/product/world-files.ts';
import { oneApprover, principalAlone } from '../core/checks/quorum.ts';
import { prepare } from './prepare.ts';
import { startGateway } from './start-gateway.ts';

let world: World;
afterEach(() => world.close());

const quiet = '[gateway]\nname = "in-process"\ndata = "data"\n[gateway.log]\nlevel = "silent"';

const pay = (amount: number, recipient = vendorIban): object => ({ recipient, amount });

describe('startProxy', () => {
  it('decides, asks on the page, executes, mirrors, and ends with its client', async () => {
    world = new World({
      gateway: quiet,
      defaults: '[defaults]\nreceipts = "mirror.jsonl"\npassthrough = ["bank.echo"]',
      approvals: await passcodeTable(),
    });
    const client = await startProxyInProcess(world.configFile);
    expect(codeOf(await client.callTool('pay', pay(1)))).toBe('executed');
    expect(codeOf(await client.callTool('echo', { a: 1 }))).toBe('executed');
    expect(codeOf(await client.callTool('pay', pay(1, strangerIban)))).toBe('PROVENANCE_UNTRUSTED');
    expect((await client.callTool('nosuch', {})).error?.code).toBe(-32602);
    const asked = await client.callTool('pay', pay(500));
    const link = parseLink(decisionOf(asked)?.approval?.url ?? '');
    expect((await approve(link)).status).toBe(200);
    expect(codeOf(await client.callTool('pay', pay(500)))).toBe('executed');
    expect(await client.close()).toBe(0);
    expect(world.effects()).toHaveLength(2);
    const mirror = readFileSync(world.path('mirror.jsonl'), 'utf8').trim().split('\n');
    expect(mirror.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
      mirror.map((_unused, index) => index),
    );

    // The copy is continued by the next process, not begun again.
    const next = await startProxyInProcess(world.configFile);
    expect(codeOf(await next.callTool('pay', pay(2)))).toBe('executed');
    expect(await next.close()).toBe(0);
    const longer = readFileSync(world.path('mirror.jsonl'), 'utf8').trim().split('\n');
    expect(longer.slice(0, mirror.length)).toEqual(mirror);
    expect(JSON.parse(longer.at(-1) ?? '')).toMatchObject({ seq: longer.length - 1 });
  });

  it('tells a copy that cannot be written once, and refuses nothing for it', async () => {
    world = new World({
      gateway: quiet,
      defaults: '[defaults]\nreceipts = "no-folder/mirror.jsonl"',
    });
    const seen = await captureStreams(async () => {
      const client = await startProxyInProcess(world.configFile);
      expect(codeOf(await client.callTool('pay', pay(1)))).toBe('executed');
      expect(codeOf(await client.callTool('pay', pay(2)))).toBe('executed');
      expect(await client.close()).toBe(0);
    });
    expect(seen.exitCode).toBeUndefined();
    expect(world.effects()).toHaveLength(2);
  });
});

describe('startGateway', () => {
  it('leaves nothing open when the key cannot be used', async () => {
    world = new World({ gateway: quiet, servers: bankServer('/dev/null') });
    const first = await startProxyInProcess(world.configFile);
    await first.close();
    chmodSync(world.path('data/log-key.pem'), 0o644);
    await expect(startProxyInProcess(world.configFile)).rejects.toThrow('chmod 600');
  });

  it('needs a store that is a database', async () => {
    world = new World();
    world.write('data', 'a file');
    const { config, parts, log, environment } = prepare(world.configFile);
    const approvals = {
      terms: { 1: principalAlone, 2: oneApprover },
      require: { 1: ['passcode'] as const, 2: ['passkey'] as const },
      formAllowed: true,
      pageAnswers: () => false,
      linkOf: () => undefined,
      expiresMs: { 1: 1_000, 2: 1_000 },
      openMax: 5,
    };
    const composition = {
      config,
      parts,
      log,
      environment: environment.variables,
      approvals,
      onFatal: () => {},
    };
    await expect(startGateway(composition)).rejects.toThrow('is no folder');
  });
});
