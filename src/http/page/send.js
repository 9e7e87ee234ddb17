// Sends what a form holds and gets back what to say.

/** `fault` is the sentence to show, undefined when it was taken; `content` is what came back. */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const content = await response.json();
    if (response.ok) return { content, code: undefined, fault: undefined };
    const after = response.headers.get('Retry-After');
    const { title, code } = content;
    const fault = after === null ? title : `${title} Try again in ${waitWords(Number(after))}.`;
    return { content: undefined, code, fault };
  } catch {
    const fault = 'The gateway cannot be reached: is it still running?';
    return { content: undefined, code: undefined, fault };
  }
}

function waitWords(seconds) {
  const minutes = Math.ceil(seconds / 60);
  return minutes > 1 ? `${minutes} minutes` : `${seconds} seconds`;
}

/** The person's passkey over these options; undefined when they gave up or there is none. */
export async function usePasskey(options) {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const { id, rawId, type, response } = (await navigator.credentials.get({ publicKey })).toJSON();
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    const parts = { clientDataJSON, authenticatorData, signature };
    if (typeof userHandle === 'string' && userHandle !== '') parts.userHandle = userHandle;
    return { id, rawId, type, response: parts };
  } catch {
    return undefined;
  }
}

/** A new passkey; undefined when they gave up. */
export async function makePasskey(options) {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const made = (await navigator.credentials.create({ publicKey })).toJSON();
    const { clientDataJSON, attestationObject, transports } = made.response;
    const response = { clientDataJSON, attestationObject, transports };
    return { id: made.id, rawId: made.rawId, type: made.type, response };
  } catch {
    return undefined;
  }
}

export const noPasskey = 'No passkey was used. Nothing was changed.';
