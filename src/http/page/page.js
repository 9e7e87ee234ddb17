// Sends the answer. Everything else on the page works without this file.
// No framework, no markup from text: only textContent and properties.

const answer = document.getElementById('answer');
if (answer !== null) start(answer);

function start(section) {
  const passcode = document.getElementById('passcode');
  const reason = document.getElementById('reason');
  const message = document.getElementById('message');
  const buttons = [...section.querySelectorAll('button')];
  const texts = [...document.querySelectorAll('details[data-text]')];
  const opened = new Set();
  let isSending = false;

  function update() {
    const isTyped = passcode.value.length >= 8;
    const isRead = texts.every((text) => opened.has(text.dataset.text));
    for (const button of buttons) {
      button.disabled = isSending || !isTyped || (button.id === 'approve' && !isRead);
    }
    if (isTyped && !isRead && message.textContent === '') {
      message.textContent = 'Open every long text before you approve.';
    }
  }

  async function send(verdict) {
    isSending = true;
    update();
    message.textContent = 'Sending…';
    const { request, opHash, csrf } = section.dataset;
    const body = { verdict, passcode: passcode.value, op_hash: opHash, csrf };
    if (reason.value !== '') body.reason = reason.value;
    if (verdict === 'approve' && opened.size > 0) body.opened = [...opened];
    passcode.value = '';
    const told = await post(`/a/${request}/answer`, body);
    if (told === undefined) {
      location.replace(location.pathname);
      return;
    }
    isSending = false;
    message.textContent = told;
    update();
    passcode.focus();
  }

  for (const text of texts) {
    text.addEventListener('toggle', () => {
      if (text.open) opened.add(text.dataset.text);
      if (message.textContent.startsWith('Open every')) message.textContent = '';
      update();
    });
  }
  passcode.addEventListener('input', update);
  for (const button of buttons) {
    button.addEventListener('click', () => void send(button.id));
    // A held or hasty Enter must not answer: the space bar and the pointer do.
    button.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') event.preventDefault();
    });
  }
  update();
}

/** Undefined when the answer was taken, else the sentence to show. */
async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.ok) return undefined;
    const { title } = await response.json();
    const after = response.headers.get('Retry-After');
    return after === null ? title : `${title} Try again in ${waitWords(Number(after))}.`;
  } catch {
    return 'The gateway cannot be reached: is it still running?';
  }
}

function waitWords(seconds) {
  const minutes = Math.ceil(seconds / 60);
  return minutes > 1 ? `${minutes} minutes` : `${seconds} seconds`;
}
