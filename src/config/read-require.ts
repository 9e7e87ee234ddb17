// `[approvals] require`: what counts as an answer, by level.
import type { Assurance } from '../core/operation.ts';
import type { Report } from './build-context.ts';
import type { ApprovalsConfig } from './config.ts';
import type { RequireShape } from './file-shape.ts';
import { isRemotePage } from './read-page-url.ts';

/** A passkey stands for a device-bound one too. */
const everything: readonly Assurance[] = ['elicitation', 'passcode', 'oidc', 'passkey'];

interface Surroundings {
  readonly pageUrl: string | undefined;
  /** Whether the owner has a passcode, be it a wrong one. */
  readonly hasPasscode: boolean;
  readonly hasProvider: boolean;
  readonly report: Report;
}

export function readRequire(
  given: RequireShape | undefined,
  { pageUrl, hasPasscode, hasProvider, report }: Surroundings,
): ApprovalsConfig['require'] {
  if (given?.['1']?.includes('passcode') === true && !hasPasscode) {
    report(['require', '1'], 'asks for a passcode and there is none: add `passcode`');
  }
  for (const level of ['1', '2'] as const) {
    if (given?.[level]?.includes('oidc') === true && !hasProvider) {
      report(['require', level], 'asks for a sign-in and there is no provider: add [http] oidc');
    }
  }
  return {
    1: [...new Set(given?.['1'] ?? levelOneDefault(pageUrl))],
    2: [...new Set(given?.['2'] ?? (['passkey'] as const))],
  };
}

/** A passcode can be guessed from anywhere and typed on a forged page: a remote page takes it only by name. */
function levelOneDefault(pageUrl: string | undefined): readonly Assurance[] {
  return isRemotePage(pageUrl) ? everything.filter((each) => each !== 'passcode') : everything;
}
