// Addresses that the gateway sends something to, or is reached at.

/** Names of this computer. */
export const loopbackHosts: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

const form = 'must be https://, or http:// on this computer';

/** What is wrong with an address of the web; undefined = nothing. It may carry a query where `query` says so. */
export function webAddressFault(
  text: string,
  { query }: { readonly query: boolean },
): string | undefined {
  const fault = query
    ? `${form}, without user, password and #`
    : `${form}, without user, password, ? and #`;
  // The parser would repair blanks, backslashes and missing slashes.
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return fault;
  const { protocol, hostname, username, password } = new URL(text);
  const isPlain = username === '' && password === '' && !(query ? /#/ : /[?#]/).test(text);
  return isPlain && (protocol === 'https:' || isLoopback(hostname)) ? undefined : fault;
}

/** Whether a host name, as `URL` gives it, is this computer. */
function isLoopback(hostname: string): boolean {
  return loopbackHosts.includes(hostname.replace(/^\[(.*)\]$/, '$1'));
}
