// What every form of the page sends: only its own script can, as bounded JSON of a known shape.
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { err, ok, type Result } from '../core/result.ts';
import { faultAnswer, type HttpAnswer } from './http-answer.ts';
import type { PageContext } from './page-context.ts';
import { readJsonBody } from './read-body.ts';
import type { PageSession } from './session.ts';

export interface FormCall {
  readonly request: IncomingMessage;
  /** The only origin whose script may send. */
  readonly origin: string;
  readonly session: PageSession | undefined;
}

const closing = { headers: { Connection: 'close' } };

/** The body, or why it is not read. */
export async function readForm<T>(
  { bodyTimeoutMs }: Pick<PageContext, 'bodyTimeoutMs'>,
  call: FormCall,
  schema: z.ZodType<T>,
): Promise<Result<T, HttpAnswer>> {
  const refused = refuseHeaders(call);
  if (refused !== undefined) return err(refused);
  const json = await readJsonBody(call.request, bodyTimeoutMs);
  if (!json.ok) return err(faultAnswer(json.error, closing));
  const body = schema.safeParse(json.value);
  return body.success ? ok(body.data) : err(faultAnswer('BAD_REQUEST'));
}

/** Only a script of this very page can send all three. */
function refuseHeaders({ request, origin }: FormCall): HttpAnswer | undefined {
  const only = (name: string): string | undefined => {
    const values = request.headersDistinct[name];
    return values?.length === 1 ? values[0] : undefined;
  };
  if (only('origin') !== origin || only('sec-fetch-site') !== 'same-origin') {
    return faultAnswer('FORBIDDEN');
  }
  const isJson = /^application\/json(?:;\s*charset=utf-8)?$/i.test(only('content-type') ?? '');
  return isJson ? undefined : faultAnswer('UNSUPPORTED_TYPE');
}

/** When the page with this form was served to this session; undefined for a token of any other. */
export function servedMs(
  { csrf }: Pick<PageContext, 'csrf'>,
  { session }: Pick<FormCall, 'session'>,
  { form, token }: { readonly form: string; readonly token: string },
): number | undefined {
  return csrf.servedMs(token, { form, session: session?.recordId ?? '' });
}

/** A token for a form on a page of this session. */
export const tokenOf = (
  { csrf }: Pick<PageContext, 'csrf'>,
  session: PageSession | undefined,
  form: string,
): string => csrf.issue({ form, session: session?.recordId ?? '' });

/** Come back at this instant. */
export function busyAnswer(
  { clock }: Pick<PageContext, 'clock'>,
  code: 'PASSCODE_LOCKED' | 'TOO_MANY_TRIES',
  untilMs: number,
): HttpAnswer {
  const seconds = Math.max(1, Math.ceil((untilMs - clock().nowMs) / 1_000));
  return faultAnswer(code, { headers: { 'Retry-After': String(seconds) } });
}
