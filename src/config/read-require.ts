// `[approvals] require`: what counts as an answer, by level.
import type { Assurance } from '../core/operation.ts';
import { approvalFactors } from './approval-factors.ts';
import type { BuildContext, Report } from './build-context.ts';
import type { ApprovalsConfig } from './config.ts';
import type { FileShape } from './file-shape.ts';

interface Reading {
  readonly context: BuildContext;
  readonly report: Report;
  /** The page has a public address. */
  readonly isRemote: boolean;
}

/** A passcode typed on a public page can be phished: it counts there when it is named. */
export function readRequire(
  shape: FileShape,
  { context, report, isRemote }: Reading,
): ApprovalsConfig['require'] {
  const given = shape.approvals?.require;
  const all = approvalFactors.filter((factor) => !isRemote || factor !== 'passcode');
  const require = { 1: given?.['1'] ?? all, 2: given?.['2'] ?? (['passkey'] as const) };
  if (given?.['1']?.includes('passcode') === true && !hasPasscode(shape)) {
    report(['require', '1'], 'asks for a passcode and there is none: add `passcode`');
  }
  if (require[2].includes('elicitation')) {
    report(['require', '2'], 'a form in the client of the agent never answers level 2');
  }
  if (require[2].includes('passcode')) {
    context.warnings.push(
      '[approvals] level 2 takes a passcode: whoever sees it typed can approve for that person',
    );
  }
  refuseOidc(shape, given, report);
  return require;
}

const hasPasscode = ({ approvals, people = [] }: FileShape): boolean =>
  approvals?.passcode !== undefined || people.some(({ passcode }) => passcode !== undefined);

function refuseOidc(
  shape: FileShape,
  given: Partial<Record<'1' | '2', readonly Assurance[]>> | undefined,
  report: Report,
): void {
  for (const level of ['1', '2'] as const) {
    if (given?.[level]?.includes('oidc') !== true || shape.http?.oidc !== undefined) continue;
    report(['require', level], 'asks for a sign-in and there is no provider: add [http] oidc');
  }
}
