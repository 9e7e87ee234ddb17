// `[approvals] notify`: where people are told of a request.
import type { BuildContext, Report } from './build-context.ts';
import type { NotifyConfig } from './config.ts';
import type { NotifyShape } from './file-shape.ts';
import { readEmail } from './read-email.ts';
import { readSecret } from './read-secret.ts';
import { webAddressFault } from './web-address.ts';

/** Shorter secrets are found from one message that was seen. */
const secretLengthMin = 16;
const mailFault =
  'must be smtp://<host> or smtps://<host>, with user:password@ where needed, without path, ? and #';

/** Keys that only one kind has. */
const kindOfKey = { secret: 'webhook', from: 'mail', to: 'mail' } as const;

export function readNotify(
  notices: readonly NotifyShape[],
  context: BuildContext,
  report: Report,
): readonly NotifyConfig[] {
  return notices.map((notice, index) => {
    const at: Report = (path, message) => report(['notify', index, ...path], message);
    reportForeignKeys(notice, at);
    const url = readAddress(notice, context, at);
    const { kind, detail = 'summary' } = notice;
    if (kind === 'slack') return { kind, url, detail };
    if (kind === 'webhook') return { kind, url, secret: signing(notice, context, at), detail };
    return { kind, url, ...mailEnds(notice, at), detail };
  });
}

function reportForeignKeys(notice: NotifyShape, report: Report): void {
  for (const [key, kind] of Object.entries(kindOfKey)) {
    if (kind === notice.kind || !Object.hasOwn(notice, key)) continue;
    report([key], `\`${key}\` is for kind = "${kind}" only: remove it`);
  }
}

function readAddress({ kind, url }: NotifyShape, context: BuildContext, report: Report): string {
  const read = readSecret(url, context);
  if (!read.ok) {
    report(['url'], read.error);
    return '';
  }
  const fault =
    kind === 'mail' ? mailAddressFault(read.value) : webAddressFault(read.value, { query: true });
  if (fault !== undefined) report(['url'], fault);
  return read.value;
}

function mailAddressFault(text: string): string | undefined {
  if (!/^smtps?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return mailFault;
  const { hostname, pathname } = new URL(text);
  const isPlain = hostname !== '' && ['', '/'].includes(pathname) && !/[?#]/.test(text);
  return isPlain ? undefined : mailFault;
}

function signing({ secret }: NotifyShape, context: BuildContext, report: Report): string {
  if (secret === undefined) {
    report(['secret'], 'is missing: add what signs the messages of a webhook');
    return '';
  }
  const read = readSecret(secret, context);
  if (!read.ok) report(['secret'], read.error);
  else if (read.value.length < secretLengthMin) {
    report(['secret'], `must have at least ${secretLengthMin} characters`);
  }
  return read.ok ? read.value : '';
}

/** From whom, and to whom. */
function mailEnds(
  { from, to }: NotifyShape,
  report: Report,
): { readonly from: string; readonly to: readonly string[] | undefined } {
  if (from === undefined) report(['from'], 'is missing: add the address that mail is sent from');
  return {
    from: from === undefined ? '' : checked(from, (message) => report(['from'], message)),
    to: to?.map((each, index) => checked(each, (message) => report(['to', index], message))),
  };
}

function checked(text: string, report: (message: string) => void): string {
  const read = readEmail(text);
  if (read.ok) return read.value;
  report(read.error);
  return text;
}
