// What the reader of a request can approve it with.
import type { AssertionOptions } from '../approvals/passkey/assertion.ts';
import { isAccepted } from '../core/checks/assurance.ts';
import type { FoundApproval } from './find-approval.ts';
import type { PageContext } from './page-context.ts';
import type { Answering } from './render-answer.ts';
import type { PageSession } from './session.ts';

export async function answeringOf(
  context: PageContext,
  found: FoundApproval,
  session: PageSession | undefined,
): Promise<Answering> {
  const { person, approval } = found;
  const accepted = context.require[approval.level];
  const hasPasscode = person !== undefined && context.passcodes.stringOf(person) !== undefined;
  const takesPasskey = isAccepted('passkey-bound', accepted);
  return {
    isSignedIn: session !== undefined,
    // Without a session the passcode also says who rejects, which every level takes.
    passcode: hasPasscode && (session === undefined || accepted.includes('passcode')),
    passkey: session !== undefined && takesPasskey ? await promptOf(context, found) : undefined,
  };
}

async function promptOf(
  { site }: PageContext,
  { person, approval, question }: FoundApproval,
): Promise<AssertionOptions | undefined> {
  const { assertionOptions } = await import('../approvals/passkey/assertion.ts');
  const { credentials } = question.people;
  return assertionOptions({
    rpId: site.rpId,
    credentials: credentials.filter(({ personId }) => personId === person?.personId),
    challenge: { purpose: 'approve', opHash: Buffer.from(approval.opHash, 'hex') },
  });
}
