// `[approvals] page_url`: the one name under which a remote page is known.
import type { Report } from './build-context.ts';

const form = /^https?:\/\/[^/?#@\\\s]+\/?$/i;
const address = /^\[|^[\d.]+$/;

/** The origin without a slash at the end; undefined = none, or one that is reported. */
export function readPageUrl(text: string | undefined, report: Report): string | undefined {
  if (text === undefined) return undefined;
  const fault = pageUrlFault(text);
  if (fault === undefined) return new URL(text).origin;
  report(['page_url'], fault);
  return undefined;
}

function pageUrlFault(text: string): string | undefined {
  if (!form.test(text) || !URL.canParse(text)) {
    return 'must be https://<host> or https://<host>:<port>, without user, path, ? and #';
  }
  const { protocol, hostname } = new URL(text);
  if (address.test(hostname) || hostname.endsWith('.')) {
    return 'must name a host such as https://approve.example.com: passkeys belong to a name, never to an address';
  }
  if (protocol === 'http:' && hostname !== 'localhost') {
    return 'must be https://, or anybody on the way could change what people see: put a TLS proxy in front; http:// is for localhost';
  }
  return undefined;
}

/** Whether people come from other computers. */
export function isRemotePage(pageUrl: string | undefined): boolean {
  return pageUrl !== undefined && new URL(pageUrl).hostname !== 'localhost';
}
