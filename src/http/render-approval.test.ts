import { describe, expect, it } from 'vitest';
import { hostileTexts } from '../../test/fixtures/page/hostile-texts.ts';
import { owner, PageRequests, type RequestDraft } from '../../test/fixtures/page/page-requests.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { findPerson } from '../core/checks/quorum.ts';
import type { ApprovalState } from '../core/operation.ts';
import { nobody } from '../core/person.ts';
import type { ShownValue } from '../gateway/gateway.ts';
import { wordsOf } from './approval-states.ts';
import { closedTexts, renderApproval, type ShownApproval } from './render-approval.ts';
import { renderList } from './render-list.ts';

const clock = { nowMs: Date.UTC(2026, 10, 30, 13, 13), zone: 'Europe/Berlin' };

async function request(
  draft: RequestDraft = {},
  state: ApprovalState = 'REQUESTED',
): Promise<ShownApproval> {
  const requests = new PageRequests(() => clock.nowMs);
  const found = await requests.readPending(requests.open(draft));
  if (found === undefined) throw new Error('no request');
  const question = { terms: found.detail.terms, principal: owner, people: nobody };
  return {
    ...{ ...found, state, question, csrf: '1.csrf', viewer: { signIn: '' } },
    ...{ person: findPerson(question, owner), mayApprove: true, mayReject: true },
    answering: { isSignedIn: false, passcode: true, passkey: undefined },
  };
}

const page = async (draft?: RequestDraft, state?: ApprovalState): Promise<string> =>
  renderApproval(await request(draft, state), clock);

const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
const longText = 'All of it. '.repeat(300);

describe('renderApproval', () => {
  verifies('APR-20', 'shows every parameter with its label, value and source', async () => {
    const text = textOf(await page());
    for (const part of [
      'Transfer 1,240.00 EUR to Nordwind Logistik GmbH',
      'Recipient account iban DE89 3704 0044 0532 0130 00 From the registry vendors.iban, record nordwind, version 12, changed 2026-10-01 (60 days ago)',
      'Amount amount 1,240.00 Written by the agent. No source is asked for this value.',
      'Currency currency EUR Fixed by the contract: EUR',
      'Reference reference Invoice 2026-0117 From your own request',
      'Expires30 Nov 2026, 14:28 GMT+01:00 (Europe/Berlin), in 15 minutes',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('keeps its parts in one order, the words of the agent last', async () => {
    const markup = await page({ rest: '{"note":"please"}' });
    const headings = [...markup.matchAll(/<h[12]>(?:<bdi>)?([^<]*)/g)].map(([, text]) => text);
    expect(headings).toEqual([
      'Transfer 1,240.00 EUR to Nordwind Logistik GmbH',
      'What will be done',
      'Who asks',
      'Who has to approve',
      'Warnings, and why you are asked',
      'Hash of the operation',
      'Untrusted: other arguments of the agent',
      'Your answer',
    ]);
  });

  it('shows the ends of the hash and the whole of it on demand', async () => {
    const shown = await request();
    const { opHash } = shown.approval;
    const markup = renderApproval(shown, clock);
    expect(markup).toContain(
      `<summary><code>${opHash.slice(0, 8)}…${opHash.slice(-8)}</code></summary>`,
    );
    expect(markup).toContain(`<p><code>${opHash}</code></p></details>`);
  });

  it('offers approve and reject while open, reject while granted, nothing after', async () => {
    const buttons = async (state: ApprovalState): Promise<readonly string[]> =>
      [...(await page({}, state)).matchAll(/<button[^>]*id="(\w+)"/g)].map(([, id]) => id ?? '');
    expect(await buttons('REQUESTED')).toEqual(['approve', 'reject']);
    expect(await buttons('GRANTED')).toEqual(['reject']);
    for (const state of ['REJECTED', 'EXPIRED', 'CANCELLED', 'VOIDED', 'CONSUMED'] as const) {
      expect(await buttons(state), state).toEqual([]);
      expect(await page({}, state)).toContain(
        wordsOf({ state, operation: 'ASKING', votes: 0 }).sentence,
      );
    }
  });

  it('says what follows an approval', async () => {
    expect(textOf(await page({}, 'GRANTED'))).toContain('next identical call executes it, once');
  });

  it('lets nobody approve level 2 who is not signed in', async () => {
    const markup = await page({ level: 2 });
    expect(markup).toContain('id="reject"');
    expect(markup).not.toContain('id="approve"');
  });

  it('has no parameters to show for an action without any', async () => {
    expect(await page({ values: [], reasons: [] })).toContain('This action has no parameters.');
  });

  verifies('APR-21', 'closes long texts, also among the undeclared arguments', async () => {
    const long: ShownValue = {
      label: 'Body',
      path: 'body',
      display: longText,
      source: '',
      warnings: [],
    };
    const { detail } = await request({ values: [long, long], rest: JSON.stringify(longText) });
    expect(closedTexts(detail).size).toBe(2);
    const markup = await page({ values: [long], rest: JSON.stringify(longText) });
    for (const id of closedTexts(detail)) expect(markup).toContain(`data-text="${id}"`);
  });

  verifies('APR-28.13', 'adds no tag and no attribute for any text of an agent', async () => {
    const tagsOf = (markup: string): ReadonlySet<string> =>
      new Set(markup.replaceAll(/(?:data-text|data-csrf)="[\w.]*"/g, '').match(/<[^>]*>/g));
    const everywhere = (text: string): RequestDraft => ({
      sentence: text,
      agent: text,
      action: text,
      reasons: [text],
      rest: text,
      values: [
        {
          label: text,
          path: `${text}.path`,
          display: text,
          source: text,
          recordId: text,
          warnings: [text],
        },
        {
          label: text,
          path: 'p',
          display: text + 'x'.repeat(2_001),
          source: '',
          warnings: ['IDN'],
        },
      ],
    });
    const known = tagsOf(await page(everywhere('p\u0430y\u200b ')));
    for (const text of hostileTexts) {
      const markup = await page(everywhere(text));
      const added = [...tagsOf(markup)].filter((tag) => !known.has(tag));
      expect(added, JSON.stringify(text)).toEqual([]);
      expect(markup.replaceAll(/[^\p{Cc}]/gu, '').replaceAll(/[\n\t]/g, ''), text).toBe('');
    }
  });
});

const viewer = { viewer: { signIn: '' } };

describe('renderList', () => {
  it('links every open request, and says when there is none', async () => {
    const { approval } = await request({ sentence: '<b>Pay</b>' });
    const markup = renderList([approval], clock, viewer);
    expect(markup).toContain(`<a href="/a/${approval.approvalId}"><bdi>&lt;b&gt;Pay`);
    expect(textOf(markup)).toContain('Expires 30 Nov 2026, 14:28 GMT+01:00 (Europe/Berlin), in 15');
    expect(
      textOf(renderList([{ ...approval, expiresMs: clock.nowMs }], clock, viewer)),
    ).not.toContain(', in');
    expect(renderList([], clock, viewer)).toContain('Nothing waits for you.');
  });
});
