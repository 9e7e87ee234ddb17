// Signs a person in, with a passcode or with a passkey.
import { noPasskey, post, usePasskey } from './send.js';

export function startSignIn(section) {
  const message = document.getElementById('message');
  const { csrf, return: returnTo } = section.dataset;
  const buttons = [...section.querySelectorAll('button')];

  async function go(prove) {
    for (const button of buttons) button.disabled = true;
    message.textContent = 'Signing in…';
    const fault = await prove();
    for (const button of buttons) button.disabled = false;
    if (fault === undefined) location.replace(returnTo);
    else message.textContent = fault;
  }

  document.getElementById('passcode-form')?.addEventListener('submit', (event) => {
    event.preventDefault();
    const passcode = document.getElementById('passcode');
    const person = document.getElementById('person').value.trim();
    const body = { csrf, person, passcode: passcode.value };
    passcode.value = '';
    void go(async () => (await post('/sign-in', body)).fault);
  });
  document.getElementById('with-passkey').addEventListener('click', () => void go(byPasskey));

  async function byPasskey() {
    const asked = await post('/sign-in/passkey', { csrf });
    if (asked.fault !== undefined) return asked.fault;
    const { sealed, options } = asked.content;
    const assertion = await usePasskey(options);
    if (assertion === undefined) return noPasskey;
    return (await post('/sign-in', { csrf, sealed, assertion })).fault;
  }
}
