// `[approvals]`: how a person is reached and what counts as an answer.
import { resolve } from 'node:path';
import { type BuildContext, type Report, reporter } from './build-context.ts';
import type { ApprovalsConfig } from './config.ts';
import type { ApprovalsShape, FileShape } from './file-shape.ts';
import { parseAddress } from './read-address.ts';
import { readNotify } from './read-notify.ts';
import { readOidc } from './read-oidc.ts';
import { readPasscode } from './read-passcode.ts';
import { readQuorum } from './read-quorum.ts';
import { readRequire } from './read-require.ts';

const listenDefault = '127.0.0.1:8765';
/** Hosts cut calls at about a minute: no call is held longer than 45 s. */
const waitMaxS = 45;
const expiresDefaultMs = { 1: 15 * 60_000, 2: 4 * 3_600_000 } as const;
const expiresMinMs = 1_000;
const expiresMaxMs = 72 * 3_600_000;
const loopback = ['127.0.0.1', '::1', 'localhost'];
const dwellDefaultMs = 3_000;
const dwellMaxMs = 60_000;
const soloDefaultMs = 24 * 3_600_000;
const soloMinMs = 3_600_000;

export function buildApprovals(shape: FileShape, context: BuildContext): ApprovalsConfig {
  const approvals = shape.approvals ?? {};
  const report = reporter(context, ['approvals']);
  const passcode = readPasscode(approvals.passcode, context, ['approvals']);
  const pageUrl = readPageUrl(approvals.page_url, report);
  const require = readRequire(shape, { context, report, isRemote: isRemote(pageUrl) });
  return {
    passcode: require[1].includes('passcode') ? passcode?.parsed : undefined,
    passcodeText: passcode?.text,
    listen: readListen(approvals.listen ?? listenDefault, report),
    pageUrl,
    waitMs: Math.min(approvals.wait ?? 0, waitMaxS) * 1_000,
    formAllowed: require[1].includes('elicitation'),
    require,
    expiresMs: readExpiry(approvals.expires_in, report),
    dwellMs: readDwell(approvals.dwell, report),
    notify: readNotify(approvals, context),
    channel: readChannel(approvals.channel, context, report),
    quorum: readQuorum(shape, report),
    solo: readSolo(approvals.self_approval, report),
    oidc: readOidc(shape, context),
  };
}

/** The address alone: everything the page links to is made from it. */
function readPageUrl(text: string | undefined, report: Report): string | undefined {
  if (text === undefined) return undefined;
  const url = parseAddress(text);
  const isBare =
    url !== undefined && [`${url.origin}`, `${url.origin}/`].includes(text.toLowerCase());
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && url.hostname === 'localhost');
  if (isBare && isSafe) return url.origin;
  report(['page_url'], 'must be https:// and a host, nothing after it; http:// only for localhost');
  return undefined;
}

const isRemote = (pageUrl: string | undefined): boolean =>
  pageUrl !== undefined && new URL(pageUrl).hostname !== 'localhost';

function readDwell(ms: number | undefined, report: Report): number {
  const dwellMs = ms ?? dwellDefaultMs;
  if (dwellMs > dwellMaxMs) report(['dwell'], 'must be at most 60s');
  return dwellMs;
}

function readSolo(value: ApprovalsShape['self_approval'], report: Report): ApprovalsConfig['solo'] {
  if (value === undefined || value === 'never') return undefined;
  const waitMs = (value === 'solo' ? undefined : value.wait) ?? soloDefaultMs;
  if (waitMs < soloMinMs || waitMs > expiresMaxMs - soloMinMs) {
    report(['self_approval'], 'the waiting time must be from 1h to 71h');
  }
  return { waitMs };
}

/** A file beside the configuration and the name of what it exports. */
function readChannel(
  text: string | undefined,
  { folder }: BuildContext,
  report: Report,
): ApprovalsConfig['channel'] {
  if (text === undefined) return undefined;
  const [, file, factory] = /^(.+\.(?:mjs|js|mts|ts)):([A-Za-z_$][\w$]*)$/.exec(text) ?? [];
  if (file !== undefined && factory !== undefined) return { file: resolve(folder, file), factory };
  const isPython = /^[A-Za-z_][\w.]*:[A-Za-z_]\w*$/.test(text);
  const message = isPython
    ? 'names a Python module: write the channel as a JavaScript module, "./file.mjs:factory"'
    : 'must be a JavaScript file and what it exports: "./file.mjs:factory"';
  report(['channel'], message);
  return undefined;
}

/** `host:port`, with an IPv6 address in brackets. */
function readListen(text: string, report: Report): ApprovalsConfig['listen'] {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '127.0.0.1';
  const port = Number(match?.[3] ?? 0);
  if (match === null || port > 65_535) {
    report(['listen'], `\`${text}\` is no address: write 127.0.0.1:8765`);
  } else if (!loopback.includes(host)) {
    report(['listen'], `\`${host}\` is not this computer: the page listens on 127.0.0.1 only`);
  }
  return { host, port };
}

function readExpiry(
  value: ApprovalsShape['expires_in'],
  report: Report,
): ApprovalsConfig['expiresMs'] {
  const given = typeof value === 'object' ? value : { '1': value, '2': value };
  const expires = { 1: given['1'] ?? expiresDefaultMs[1], 2: given['2'] ?? expiresDefaultMs[2] };
  const isWrong = Object.values(expires).some((ms) => ms < expiresMinMs || ms > expiresMaxMs);
  if (isWrong) report(['expires_in'], 'must be from 1s to 72h');
  return expires;
}
