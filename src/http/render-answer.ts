// The part of a page where its reader answers: what they can use, and nothing else.
import type { AssertionOptions } from '../approvals/passkey/assertion.ts';
import type { FoundApproval } from './find-approval.ts';
import { html, type Markup, shown } from './html.ts';

/** What this reader can approve with. */
export interface Answering {
  readonly isSignedIn: boolean;
  /** A passcode of this person counts at this level. */
  readonly passcode: boolean;
  /** What the browser asks the person's passkeys for; undefined when none counts or there is none. */
  readonly passkey: AssertionOptions | undefined;
}

export interface AnswerShown extends FoundApproval {
  readonly csrf: string;
  readonly answering: Answering;
}

/** Reading works without the script; only answering needs it. */
export function answerPart(shownApproval: AnswerShown): Markup | undefined {
  const { state, mayReject, answering } = shownApproval;
  if (state !== 'REQUESTED' && state !== 'GRANTED') return undefined;
  if (!mayReject) return notYours;
  const { isSignedIn, passcode } = answering;
  // Without a session a passcode is the only thing that says who answers.
  if (!isSignedIn && !passcode) return signInFirst(shownApproval);
  return formPart(shownApproval);
}

const notYours = html`<section><h2>Your answer</h2><p>This request is for somebody else to answer.</p></section>`;

const signInFirst = ({ approval }: AnswerShown): Markup =>
  html`<section><h2>Your answer</h2><p><a href="/sign-in/a/${approval.approvalId}">Sign in</a> to answer.</p></section>`;

function formPart(shownApproval: AnswerShown): Markup {
  const { approval, detail, state, csrf, answering } = shownApproval;
  const isOpen = state === 'REQUESTED';
  const canApprove = isOpen && isApprovable(shownApproval);
  const typed = canApprove && approval.level === 2 ? detail.typed : undefined;
  const asksPasscode = answering.passcode && (canApprove || !answering.isSignedIn);
  const passkey = canApprove ? answering.passkey : undefined;
  return html`<section id="answer" data-request="${approval.approvalId}" data-op-hash="${approval.opHash}" data-csrf="${csrf}" data-session="${answering.isSignedIn ? 'yes' : ''}"${
    passkey === undefined ? undefined : html` data-passkey="${JSON.stringify(passkey)}"`
  }>
<h2>${isOpen ? 'Your answer' : 'Take it back'}</h2>
<p class="hint">${hintOf(shownApproval, canApprove)} Use the mouse, a finger or the space bar: the Enter key does nothing here.</p>
${typed === undefined ? undefined : typedField(typed.label)}
${asksPasscode ? passcodeField : undefined}
<label for="reason">Reason <span class="optional">(optional, kept in the receipt)</span></label>
<input id="reason" type="text" autocomplete="off" maxlength="500">
<div class="buttons">
${canApprove ? html`<button type="button" id="approve" disabled>${passkey === undefined ? 'Approve' : 'Approve with a passkey'}</button>` : undefined}
<button type="button" id="reject" disabled>Reject</button>
</div>
<p id="message" role="alert"></p>
<noscript><p class="note">Answering needs JavaScript. Reading does not.</p></noscript>
</section>`;
}

function isApprovable({ approval, mayApprove, person, detail, answering }: AnswerShown): boolean {
  if (!mayApprove || (!answering.isSignedIn && approval.level === 2)) return false;
  if (!answering.passcode && answering.passkey === undefined) return false;
  const isAlone = detail.terms.soloWaitMs !== undefined;
  return isAlone || !detail.votes.some(({ personId }) => personId === person?.personId);
}

function hintOf(shownApproval: AnswerShown, canApprove: boolean): string {
  const { state, answering, mayApprove, detail, person } = shownApproval;
  if (state === 'GRANTED') return 'Until it is used you can still reject it.';
  if (canApprove && !answering.isSignedIn) {
    return 'Approving and rejecting both need the passcode of the owner, typed for this operation.';
  }
  if (canApprove) {
    return answering.passkey === undefined
      ? 'Approving needs your passcode, typed for this operation. Rejecting needs no more than that you are signed in.'
      : 'Approving asks for your passkey, which signs exactly this operation. Rejecting needs no more than that you are signed in.';
  }
  if (detail.votes.some(({ personId }) => personId === person?.personId)) {
    return 'You have approved this. You can still reject it.';
  }
  return mayApprove
    ? 'You have nothing here that is enough to approve this: it needs a passkey of this page, and you can reject it.'
    : 'Somebody else has to approve this. You can reject it.';
}

const passcodeField = html`<label for="passcode">Passcode</label>
<input id="passcode" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="256">`;

const typedField = (label: string): Markup =>
  html`<label for="typed">Last 4 characters of ${shown(label)} <span class="optional">(spaces left out)</span></label>
<input id="typed" type="text" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="20">`;
