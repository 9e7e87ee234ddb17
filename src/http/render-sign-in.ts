// Where a person says who they are.
import { html } from './html.ts';
import { pageFrame } from './page-frame.ts';

export interface SignInPage {
  readonly csrf: string;
  /** Path that is opened afterwards; one of this page. */
  readonly returnTo: string;
  readonly takesPasscode: boolean;
  /** Site of this page's passkeys. */
  readonly rpId: string;
}

export function renderSignIn({ csrf, returnTo, takesPasscode, rpId }: SignInPage): string {
  const passcode = html`
<form id="passcode-form" autocomplete="off">
<label for="person">Name</label>
<input id="person" type="text" autocomplete="username" autocapitalize="off" spellcheck="false" maxlength="200">
<label for="passcode">Passcode</label>
<input id="passcode" type="password" autocomplete="current-password" maxlength="256">
<div class="buttons"><button type="submit" id="with-passcode">Sign in with a passcode</button></div>
</form>`;
  const main = html`<h1>Sign in</h1>
<section id="sign-in" data-csrf="${csrf}" data-return="${returnTo}">
<div class="buttons"><button type="button" id="with-passkey">Sign in with a passkey</button></div>
<p class="hint">A passkey works on the page that it was made on; this one is <code>${rpId}</code>.</p>
${takesPasscode ? passcode : undefined}
<p id="message" role="alert"></p>
<noscript><p class="note">Signing in needs JavaScript.</p></noscript>
</section>
<p><a href="/enrol">I have a code: make a passkey or set a passcode</a></p>`;
  return pageFrame({ title: 'Sign in', main });
}
