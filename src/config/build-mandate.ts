// `[mandate]`: who acts, within which claims, scopes and budgets.
import { resolve } from 'node:path';
import type { Contract } from '../core/contract.ts';
import { buildBudgets } from './build-budgets.ts';
import { type BuildContext, type Report, reporter } from './build-context.ts';
import type { MandateConfig } from './config.ts';
import { requestLengthMax } from './file-schema.ts';
import type { FileShape, MandateShape } from './file-shape.ts';
import { hint } from './nearest-key.ts';
import { readTextFile } from './read-text-file.ts';

/** Validity of a session mandate: 12 h. */
const expiresInDefaultMs = 12 * 3_600_000;

export function buildMandate(
  shape: FileShape,
  contracts: readonly Contract[],
  context: BuildContext,
): MandateConfig {
  const mandate = shape.mandate ?? {};
  const report = reporter(context, ['mandate']);
  const principal = mandate.principal ?? 'user';
  const claims = readClaims(mandate);
  const scopes = [...new Set(contracts.map((contract) => contract.scope))].toSorted();
  checkScopes(mandate.scopes ?? [], scopes, report);
  return {
    principal,
    agent: mandate.agent ?? 'agent',
    tenant: readTenant(claims, report) ?? principal,
    claims,
    budgets: buildBudgets(mandate, report),
    scopes: mandate.scopes ?? scopes,
    expiresInMs: mandate.expires_in ?? expiresInDefaultMs,
    levelMin: 0,
    request: readRequest(mandate, context, report),
  };
}

function readClaims({ claims = {} }: MandateShape): MandateConfig['claims'] {
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
  );
}

/** The owner of records is one: a list would make it a matter of order. */
function readTenant(claims: MandateConfig['claims'], report: Report): string | undefined {
  if (!Object.hasOwn(claims, 'tenant')) return undefined;
  const [tenant, ...others] = claims['tenant'] ?? [];
  if (typeof tenant === 'string' && tenant !== '' && others.length === 0) return tenant;
  report(['claims', 'tenant'], 'must be one text: it names the owner of the registry records');
  return undefined;
}

function checkScopes(wanted: readonly string[], known: readonly string[], report: Report): void {
  for (const [index, scope] of wanted.entries()) {
    if (known.includes(scope)) continue;
    report(['scopes', index], `no tool asks for the scope \`${scope}\`${hint(scope, known)}`);
  }
}

function readRequest(
  { request, request_file: file }: MandateShape,
  context: BuildContext,
  report: Report,
): string | undefined {
  if (file === undefined) return request;
  if (request !== undefined) {
    report(['request_file'], 'stands beside `request`: keep one of them');
    return undefined;
  }
  const path = resolve(context.folder, file);
  const text = readTextFile(path, context.environment.platform);
  if (!text.ok) {
    report(['request_file'], `the file \`${path}\` ${text.error}`);
    return undefined;
  }
  if (text.value.length > requestLengthMax) {
    report(['request_file'], `the file \`${path}\` holds more than ${requestLengthMax} characters`);
  }
  return text.value;
}
