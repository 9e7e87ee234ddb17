// Sends the answer to one request.
import { noPasskey, post, usePasskey } from './send.js';

const passcodeMin = 8;

export function startAnswer(section) {
  const field = (id) => document.getElementById(id);
  const passcode = field('passcode');
  const typed = field('typed');
  const reason = field('reason');
  const message = field('message');
  const buttons = [...section.querySelectorAll('button')];
  const texts = [...document.querySelectorAll('details[data-text]')];
  const opened = new Set();
  const { request, opHash, csrf, session, passkey } = section.dataset;
  let isSending = false;

  const isPasscodeTyped = () => passcode !== null && passcode.value.length >= passcodeMin;

  function update() {
    const isRead = texts.every((text) => opened.has(text.dataset.text));
    const isEndTyped = typed === null || typed.value.trim() !== '';
    const isProvable = isPasscodeTyped() || passkey !== undefined;
    for (const button of buttons) {
      const isReady =
        button.id === 'approve'
          ? isProvable && isRead && isEndTyped
          : isPasscodeTyped() || session !== '';
      button.disabled = isSending || !isReady;
    }
    if (isProvable && !isRead && message.textContent === '') {
      message.textContent = 'Open every long text before you approve.';
    }
  }

  /** What proves the answer; undefined when a passkey was wanted and none was used. */
  async function proofOf(verdict) {
    if (isPasscodeTyped()) return { passcode: passcode.value };
    if (verdict === 'reject') return {};
    const assertion = await usePasskey(JSON.parse(passkey));
    return assertion === undefined ? undefined : { assertion };
  }

  function bodyOf(verdict, proof) {
    const body = { verdict, ...proof, op_hash: opHash, csrf };
    if (reason.value !== '') body.reason = reason.value;
    if (verdict === 'reject') return body;
    if (opened.size > 0) body.opened = [...opened];
    if (typed !== null) body.typed = typed.value;
    return body;
  }

  async function send(verdict) {
    if (isSending) return;
    isSending = true;
    update();
    message.textContent = 'Sending…';
    const proof = await proofOf(verdict);
    if (passcode !== null) passcode.value = '';
    if (proof === undefined) return tell(noPasskey);
    const { fault, code } = await post(`/a/${request}/answer`, bodyOf(verdict, proof));
    if (fault === undefined) location.replace(location.pathname);
    else if (code === 'SESSION_ENDED') location.replace(`/sign-in/a/${request}`);
    else tell(fault);
  }

  function tell(text) {
    isSending = false;
    message.textContent = text;
    update();
    (passcode ?? typed ?? reason).focus();
  }

  for (const text of texts) {
    text.addEventListener('toggle', () => {
      if (text.open) opened.add(text.dataset.text);
      if (message.textContent.startsWith('Open every')) message.textContent = '';
      update();
    });
  }
  for (const input of [passcode, typed]) input?.addEventListener('input', update);
  for (const button of buttons) {
    button.addEventListener('click', () => void send(button.id));
    // A held or hasty Enter must not answer: the space bar and the pointer do.
    button.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') event.preventDefault();
    });
  }
  update();
}
