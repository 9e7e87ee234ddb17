// What every page does by itself. Reading works without any of it.
// No framework, no markup from text: only textContent and properties.
import { startAnswer } from './answer.js';
import { startEnrol } from './enrol.js';
import { startLift } from './lift.js';
import { post } from './send.js';
import { startSignIn } from './sign-in.js';

const starts = { lift: startLift, answer: startAnswer, 'sign-in': startSignIn, enrol: startEnrol };
for (const [id, start] of Object.entries(starts)) {
  const section = document.getElementById(id);
  if (section !== null) start(section);
}

const signOut = document.getElementById('sign-out');
signOut?.addEventListener('click', async () => {
  const { fault } = await post('/sign-out', { csrf: signOut.dataset.csrf });
  if (fault === undefined) location.replace('/');
  else location.reload();
});

const state = document.getElementById('state');
const watchMs = 2_000;
if (state !== null && state.dataset.watch !== '') setTimeout(() => void watch(state), watchMs);

/** Shows what became of the request; what can no longer be answered is loaded anew. */
async function watch(element) {
  const news = await readState(element.dataset.watch);
  if (news !== undefined && news.key !== element.dataset.key) {
    if (news.isFinal || document.getElementById('answer') === null) {
      location.replace(location.pathname);
      return;
    }
    element.dataset.key = news.key;
    element.className = `state ${news.tone}`;
    element.querySelector('strong').textContent = `${news.title}.`;
    element.querySelector('span').textContent = news.sentence;
  }
  setTimeout(() => void watch(element), watchMs);
}

async function readState(id) {
  try {
    const response = await fetch(`/a/${id}/state`);
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
