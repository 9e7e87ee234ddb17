// Where a person uses the one-time code that an administrator gave them.
import { html } from './html.ts';
import { pageFrame } from './page-frame.ts';

export function renderEnrol(page: {
  readonly csrf: string;
  readonly rpId: string;
  readonly takesPasscode: boolean;
}): string {
  const { csrf, rpId, takesPasscode } = page;
  const passcode = html`
<label for="new-passcode">Passcode <span class="optional">(8 to 128 characters)</span></label>
<input id="new-passcode" type="password" autocomplete="new-password" maxlength="256">`;
  const main = html`<h1>Make a passkey</h1>
<section id="enrol" data-csrf="${csrf}">
<p>Whoever runs this gateway gave you a code. It works once and for ten minutes.</p>
<label for="code">Code</label>
<input id="code" type="text" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="100">
<label for="label">Name of the passkey <span class="optional">(optional, such as “phone”)</span></label>
<input id="label" type="text" autocomplete="off" maxlength="60">
${takesPasscode ? passcode : undefined}
<div class="buttons">
<button type="button" id="make-passkey">Make a passkey</button>
${takesPasscode ? html`<button type="button" id="set-passcode">Only set the passcode</button>` : undefined}
</div>
<p class="hint">The passkey works on <code>${rpId}</code> and nowhere else: one that was made on localhost does not work on the public address of the page, and the other way round.</p>
<p id="message" role="alert"></p>
<noscript><p class="note">This needs JavaScript.</p></noscript>
</section>`;
  return pageFrame({ title: 'Make a passkey', main });
}
