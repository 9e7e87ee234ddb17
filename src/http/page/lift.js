// Lifts the suspension of the mandate.
import { noPasskey, post, usePasskey } from './send.js';

export function startLift(section) {
  const message = document.getElementById('message');
  const passcode = document.getElementById('passcode');
  const { csrf } = section.dataset;
  const path = '/mandate/resume';

  async function byPasskey() {
    const asked = await post(`${path}/passkey`, { csrf });
    if (asked.fault !== undefined) return asked.fault;
    const { sealed, options } = asked.content;
    const assertion = await usePasskey(options);
    if (assertion === undefined) return noPasskey;
    return (await post(path, { csrf, sealed, assertion })).fault;
  }

  async function byPasscode() {
    const typed = passcode.value;
    passcode.value = '';
    return (await post(path, { csrf, passcode: typed })).fault;
  }

  for (const [id, prove] of [
    ['lift-passcode', byPasscode],
    ['lift-passkey', byPasskey],
  ]) {
    document.getElementById(id)?.addEventListener('click', async () => {
      const fault = await prove();
      if (fault === undefined) location.reload();
      else message.textContent = fault;
    });
  }
}
