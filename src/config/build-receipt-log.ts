// `[log]`: who else sees what the receipt log says.
import { type BuildContext, reporter } from './build-context.ts';
import type { ReceiptLogConfig } from './config.ts';
import type { FileShape } from './file-shape.ts';

/** A witness is asked once a minute: less than two would refuse calls of a gateway that is well. */
const blockAfterMinMs = 120_000;

export function buildReceiptLog({ log = {} }: FileShape, context: BuildContext): ReceiptLogConfig {
  const report = reporter(context, ['log']);
  const { witnesses = [], witness_block_after: blockAfterMs, pq = false } = log;
  const { timestamp_url: timestampUrl } = log;
  for (const [i, { name, url }] of witnesses.entries()) {
    if (!isAddress(url)) {
      report(['witnesses', i, 'url'], 'must be http:// or https://, without password, ? and #');
    }
    if (witnesses.findIndex((each) => each.name === name) !== i) {
      report(['witnesses', i, 'name'], `\`${name}\` is named twice`);
    }
  }
  if (timestampUrl !== undefined && !isAddress(timestampUrl)) {
    report(['timestamp_url'], 'must be http:// or https://, without password, ? and #');
  }
  if (blockAfterMs !== undefined && witnesses.length === 0) {
    report(['witness_block_after'], 'waits for a witness and there is none: add `witnesses`');
  } else if (blockAfterMs !== undefined && blockAfterMs < blockAfterMinMs) {
    report(['witness_block_after'], 'must be at least 2m');
  }
  const cleaned = witnesses.map((each) => ({ ...each, url: each.url.replace(/\/+$/, '') }));
  return { witnesses: cleaned, blockAfterMs, timestampUrl, pq };
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isPlain = username === '' && password === '' && search === '' && hash === '';
  return isPlain && (protocol === 'http:' || protocol === 'https:');
}
