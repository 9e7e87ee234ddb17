// Lower-case hex without a Node module, so that the verifier runs in a browser.

/** Two digits a byte. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of a text that is hex. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
