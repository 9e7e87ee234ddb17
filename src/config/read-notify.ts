// `[[approvals.notify]]`: where requests are told of.
import { type BuildContext, type Report, reporter } from './build-context.ts';
import type { NotifyConfig } from './config.ts';
import type { ApprovalsShape } from './file-shape.ts';
import { isLoopbackHost, parseAddress } from './read-address.ts';
import { readSecret } from './read-secret.ts';

type NoticeShape = NonNullable<ApprovalsShape['notify']>[number];

const secretMin = 16;

export function readNotify(
  { notify = [] }: ApprovalsShape,
  context: BuildContext,
): readonly NotifyConfig[] {
  return notify.flatMap((notice, i) => {
    const report = reporter(context, ['approvals', 'notify', i]);
    return readNotice(notice, { context, report }) ?? [];
  });
}

interface Reading {
  readonly context: BuildContext;
  readonly report: Report;
}

function readNotice(notice: NoticeShape, reading: Reading): NotifyConfig | undefined {
  const { webhook, slack, mail, detail = 'summary' } = notice;
  const kinds = [webhook, slack, mail].filter((each) => each !== undefined);
  if (kinds.length !== 1) {
    reading.report([], 'names one of webhook, slack or mail');
    return undefined;
  }
  if (webhook !== undefined) {
    const url = readWebAddress(webhook.url, 'webhook', reading);
    const secret = readText(webhook.secret, ['webhook', 'secret'], reading);
    if (secret !== undefined && secret.length < secretMin) {
      reading.report(['webhook', 'secret'], `must be at least ${secretMin} characters long`);
    }
    return { kind: 'webhook', detail, url, secret: secret ?? '' };
  }
  if (slack !== undefined) {
    return { kind: 'slack', detail, url: readWebAddress(slack.url, 'slack', reading) };
  }
  return mail === undefined ? undefined : readMail(mail, detail, reading);
}

function readMail(
  { url: given, from, to }: NonNullable<NoticeShape['mail']>,
  detail: NotifyConfig['detail'],
  reading: Reading,
): NotifyConfig {
  const url = readText(given, ['mail', 'url'], reading) ?? '';
  if (!/^smtps?:\/\/[^\s/]+\/?$/.test(url)) {
    reading.report(
      ['mail', 'url'],
      'must be smtp://host or smtps://host, with user:password@ where the server wants it',
    );
  }
  return { kind: 'mail', detail, url, from, to };
}

/** Over the network only encrypted: a notice names what is being decided. */
function readWebAddress(given: string, kind: string, reading: Reading): string {
  const text = readText(given, [kind, 'url'], reading) ?? '';
  const url = parseAddress(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url));
  if (!isSafe) {
    reading.report([kind, 'url'], 'must be https://, or http:// on this computer');
  }
  return text;
}

function readText(
  given: string,
  path: readonly string[],
  { context, report }: Reading,
): string | undefined {
  const secret = readSecret(given, context);
  if (secret.ok) return secret.value;
  report(path, secret.error);
  return undefined;
}
