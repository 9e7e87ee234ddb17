// Addresses of other servers in the file.

/** Undefined for what is no absolute address. */
export function parseAddress(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

export function isLoopbackHost({ hostname }: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
