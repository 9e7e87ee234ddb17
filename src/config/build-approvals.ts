// `[approvals]`: how a person is reached and what counts as an answer.
import { type PasscodeString, parsePasscodeString } from '../core/checks/passcode-string.ts';
import { type BuildContext, type Report, reporter } from './build-context.ts';
import type { ApprovalsConfig } from './config.ts';
import type { ApprovalsShape, FileShape } from './file-shape.ts';
import { readSecret } from './read-secret.ts';

const listenDefault = '127.0.0.1:8765';
/** Hosts cut calls at about a minute: no call is held longer than 45 s. */
const waitMaxS = 45;
const expiresDefaultMs = { 1: 15 * 60_000, 2: 4 * 3_600_000 } as const;
const expiresMinMs = 1_000;
const expiresMaxMs = 72 * 3_600_000;
const loopback = ['127.0.0.1', '::1', 'localhost'];
/** Below this, a stolen string is guessed sooner than it should be: log2 N of new strings. */
const log2NAdvised = 16;

export function buildApprovals(shape: FileShape, context: BuildContext): ApprovalsConfig {
  const approvals = shape.approvals ?? {};
  const report = reporter(context, ['approvals']);
  const factors = approvals.require?.['1'];
  const passcode = readPasscode(approvals, context, report);
  if (factors?.includes('passcode') === true && approvals.passcode === undefined) {
    report(['require', '1'], 'asks for a passcode and there is none: add `passcode`');
  }
  return {
    passcode: factors?.includes('passcode') === false ? undefined : passcode,
    passcodeText: undefined,
    listen: readListen(approvals.listen ?? listenDefault, report),
    pageUrl: undefined,
    waitMs: Math.min(approvals.wait ?? 0, waitMaxS) * 1_000,
    formAllowed: factors?.includes('elicitation') ?? true,
    require: { 1: ['elicitation', 'passcode', 'oidc', 'passkey'], 2: ['passkey'] },
    expiresMs: readExpiry(approvals.expires_in, report),
    dwellMs: 3_000,
    notify: [],
    channel: undefined,
    quorum: { count: 1, roles: ['approver'], exclude: [], includeUser: false },
    solo: undefined,
    oidc: undefined,
  };
}

function readPasscode(
  { passcode: text }: ApprovalsShape,
  context: BuildContext,
  report: Report,
): PasscodeString | undefined {
  if (text === undefined) return undefined;
  const secret = readSecret(text, context);
  if (!secret.ok) {
    report(['passcode'], secret.error);
    return undefined;
  }
  const passcode = parsePasscodeString(secret.value);
  if (passcode === undefined) {
    report(['passcode'], 'is no passcode string: make one with `intentplane passcode`');
  } else if (passcode.log2N < log2NAdvised) {
    context.warnings.push(
      '[approvals] passcode is hashed weakly: make a new one with `intentplane passcode`',
    );
  }
  return passcode;
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
