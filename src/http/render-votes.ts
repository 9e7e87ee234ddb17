// Who has to answer a request, and who has approved it.
import type { ApprovalTerms, Vote } from '../core/operation.ts';
import type { FoundApproval } from './find-approval.ts';
import { html, type Markup, shown } from './html.ts';
import { personOfHandle, personOfId } from './page-people.ts';
import { type Clock, instant, span } from './time-words.ts';

export function votesPart(
  { detail, question }: Pick<FoundApproval, 'detail' | 'question'>,
  clock: Clock,
): Markup {
  const { terms, votes, principal } = detail;
  const nameOf = ({ personId }: Vote): string =>
    personOfId(question.people, { principal }, personId)?.name ?? 'somebody who was removed';
  const items = votes.map(
    (vote) =>
      html`<li>${shown(nameOf(vote))} <span class="hint">${factorWords[vote.assurance]}, ${instant(vote.atMs, clock.zone)}</span></li>`,
  );
  const user = personOfHandle(question.people, { principal }, principal)?.name ?? principal;
  return html`<section>
<h2>Who has to approve</h2>
<p>${termsWords(terms, user)}</p>
${votes.length === 0 ? html`<p class="hint">Nobody has approved yet.</p>` : html`<p>Approved by:</p><ul class="votes">${items}</ul>`}
</section>`;
}

const factorWords: Readonly<Record<Vote['assurance'], string>> = {
  elicitation: 'in the agent’s client',
  passcode: 'with a passcode',
  oidc: 'signed in afresh',
  passkey: 'with a passkey',
  'passkey-bound': 'with a passkey of one device',
};

function termsWords(terms: ApprovalTerms, user: string): Markup {
  const { count, roles, exclude, includeUser, soloWaitMs } = terms;
  if (soloWaitMs !== undefined) {
    return html`${shown(user)}, twice, with ${span(soloWaitMs)} in between.`;
  }
  if (count === 0) return html`${shown(user)}, and nobody else.`;
  const others = count === 1 ? 'one other person' : `${count} other people`;
  const asked = roles.length === 0 ? ['approver'] : roles;
  const rolesText = html` with the role ${asked.map((role, at) => html`${at === 0 ? '' : ', '}<code>${role}</code>`)}`;
  const without =
    exclude.length === 0
      ? undefined
      : html`, not ${exclude.map((handle, at) => html`${at === 0 ? '' : ', '}${shown(handle)}`)}`;
  const who = includeUser ? html`${shown(user)} and ${others}` : html`${capital(others)}`;
  return html`${who}${rolesText}${without}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
