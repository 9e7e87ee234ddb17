// Uses a one-time code: for a new passkey, for a passcode, or for both.
import { makePasskey, noPasskey, post } from './send.js';

export function startEnrol(section) {
  const field = (id) => document.getElementById(id);
  const message = field('message');
  const { csrf } = section.dataset;
  const buttons = [...section.querySelectorAll('button')];

  async function go(make) {
    for (const button of buttons) button.disabled = true;
    message.textContent = 'Sending…';
    const fault = await make();
    for (const button of buttons) button.disabled = false;
    if (fault === undefined) location.replace('/sign-in');
    else message.textContent = fault;
  }

  /** Code and passcode as they are typed. */
  function typed() {
    const passcode = field('new-passcode')?.value ?? '';
    return { csrf, code: field('code').value, ...(passcode === '' ? {} : { passcode }) };
  }

  async function passkey() {
    const body = typed();
    const asked = await post('/enrol/passkey', { csrf, code: body.code });
    if (asked.fault !== undefined) return asked.fault;
    const { sealed, options } = asked.content;
    const made = await makePasskey(options);
    if (made === undefined) return noPasskey;
    const label = field('label').value;
    return (await post('/enrol', { ...body, label, sealed, passkey: made })).fault;
  }

  field('make-passkey').addEventListener('click', () => void go(passkey));
  field('set-passcode')?.addEventListener('click', () => {
    void go(async () => (await post('/enrol', typed())).fault);
  });
}
