// `[approvals]`: how people are reached, what counts as an answer, and who has to give it.
import { type BuildContext, type Report, reporter } from './build-context.ts';
import { buildOidc } from './build-oidc.ts';
import type { People } from './build-people.ts';
import type { ApprovalsConfig } from './config.ts';
import type { ApprovalsShape, FileShape } from './file-shape.ts';
import { readChannel } from './read-channel.ts';
import { readNotify } from './read-notify.ts';
import { readPageUrl } from './read-page-url.ts';
import { readQuorum } from './read-quorum.ts';
import { readRequire } from './read-require.ts';
import { readSelfApproval } from './read-self-approval.ts';
import { loopbackHosts } from './web-address.ts';

const listenDefault = '127.0.0.1:8765';
/** Hosts cut calls at about a minute: no call is held longer than 45 s. */
const waitMaxS = 45;
const expiresDefaultMs = { 1: 15 * 60_000, 2: 4 * 3_600_000 } as const;
const expiresMinMs = 1_000;
const expiresMaxMs = 72 * 3_600_000;
const dwellDefaultMs = 3_000;
const dwellMaxMs = 60_000;

interface Surroundings extends People {
  readonly principal: string;
  readonly context: BuildContext;
}

export function buildApprovals(
  shape: FileShape,
  { people, owner, principal, context }: Surroundings,
): ApprovalsConfig {
  const approvals = shape.approvals ?? {};
  const report = reporter(context, ['approvals']);
  const pageUrl = readPageUrl(approvals.page_url, report);
  const oidc = buildOidc(shape, context);
  const require = readRequire(approvals.require, {
    pageUrl,
    hasPasscode: owner.hasPasscode,
    hasProvider: oidc !== undefined,
    report,
  });
  const isTyped = [...require[1], ...require[2]].includes('passcode');
  return {
    passcode: isTyped ? owner.passcode?.passcode : undefined,
    passcodeText: owner.passcode?.text,
    listen: readListen(approvals, report),
    pageUrl,
    waitMs: Math.min(approvals.wait ?? 0, waitMaxS) * 1_000,
    formAllowed: require[1].includes('elicitation'),
    require,
    expiresMs: readExpiry(approvals.expires_in, report),
    dwellMs: readDwell(approvals.dwell, report),
    notify: readNotify(approvals.notify ?? [], context, report),
    channel: readChannel(approvals.channel, context, report),
    quorum: readQuorum(approvals.quorum ?? {}, { people, principal, report }),
    solo: readSelfApproval(approvals.self_approval, report),
    oidc,
  };
}

/** `host:port`, with an IPv6 address in brackets. */
function readListen(
  { listen: text = listenDefault, page_url: pageUrl }: ApprovalsShape,
  report: Report,
): ApprovalsConfig['listen'] {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '127.0.0.1';
  const port = Number(match?.[3] ?? 0);
  if (match === null || port > 65_535) {
    report(['listen'], `\`${text}\` is no address: write 127.0.0.1:8765`);
  } else if (!loopbackHosts.includes(host)) {
    const fix = pageUrl === undefined ? '' : '; let the TLS proxy of `page_url` run here too';
    report(
      ['listen'],
      `\`${host}\` is not this computer: the page listens on 127.0.0.1 only${fix}`,
    );
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

function readDwell(dwellMs = dwellDefaultMs, report: Report): number {
  if (dwellMs > dwellMaxMs) report(['dwell'], 'must be at most 60s');
  return dwellMs;
}
