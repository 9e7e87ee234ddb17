// Answers of the gateway's own tools.
import { moneyText } from '../core/checks/money-text.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json-value.ts';
import type { GatewayStatus } from '../gateway/gateway.ts';
import type { OwnToolName } from './own-tool-definitions.ts';
import type { ProxyContext } from './proxy-context.ts';
import { reportObject, reportText } from './report-result.ts';

/** The result of one call of an own tool. */
export function callOwnTool(
  context: ProxyContext,
  name: OwnToolName,
  args: JsonValue | undefined,
): Promise<JsonObject> {
  const values = isJsonObject(args) ? args : {};
  switch (name) {
    case 'intentplane_list_trusted':
      return listTrusted(context, values);
    case 'intentplane_explain':
      return explain(context, values);
    case 'intentplane_status':
      return status(context);
  }
}

async function listTrusted(context: ProxyContext, args: JsonObject): Promise<JsonObject> {
  const wanted = args['registry'];
  const all = await context.gateway.listTrusted();
  const registries = all
    .filter(({ registry }) => wanted === undefined || registry === wanted)
    .map(({ registry, records }) => ({
      registry,
      records: records.map(({ id, masked }) => ({ ref: `ref:${id}`, value: masked })),
    }));
  const lines = registries.flatMap(({ registry, records }) => [
    `${registry}:`,
    ...records.map(({ ref, value }) => `  ${ref}  ${value}`),
  ]);
  return result(lines.length === 0 ? 'No registry may be listed.' : lines.join('\n'), {
    registries,
  });
}

async function explain(context: ProxyContext, args: JsonObject): Promise<JsonObject> {
  const id = args['decision_id'];
  const report = typeof id === 'string' ? await context.gateway.explain(id) : undefined;
  if (report === undefined) {
    return {
      ...result('There is no such decision in this session.', { found: false }),
      isError: true,
    };
  }
  const reports = { hasOutputSchema: false, hasOwnTools: true };
  return result(reportText(report, reports), reportObject(report, reports));
}

async function status(context: ProxyContext): Promise<JsonObject> {
  const now = await context.gateway.status();
  const pending = now.pending.map(({ approvalId, action, url, expiresMs, level }) => ({
    id: approvalId,
    action,
    level,
    ...(url === undefined ? {} : { url }),
    expires_at: new Date(expiresMs).toISOString(),
  }));
  const budgets = now.budgets.map(({ kind, limit, left, currency, window, endsMs }) => ({
    kind,
    limit,
    left,
    ...(currency === undefined ? {} : { currency }),
    ...(window === undefined ? {} : { window }),
    ...(endsMs === undefined ? {} : { ends_at: new Date(endsMs).toISOString() }),
  }));
  const mandateEnds = new Date(now.expiresMs).toISOString();
  const lines = [
    `Session of ${now.principal}, until ${mandateEnds}.`,
    ...now.budgets.map(budgetLine),
    pending.length === 0
      ? 'Nothing waits for a person.'
      : `Waiting for a person: ${pending.map(({ action, id }) => `${action} (${id})`).join(', ')}.`,
  ];
  return result(lines.join('\n'), {
    principal: now.principal,
    expires_at: mandateEnds,
    budgets,
    pending,
  });
}

/** Amounts of a currency in both readings: 5000 is no number to guess the unit of. */
function budgetLine(budget: GatewayStatus['budgets'][number]): string {
  const { kind, left, limit, currency, window, endsMs } = budget;
  const isMoney = kind === 'amount' && currency !== undefined;
  const money = isMoney ? ` (${moneyText(left, currency)} of ${moneyText(limit, currency)})` : '';
  const scope = window === undefined ? kind : `${kind}, ${window}`;
  const end = endsMs === undefined ? '' : ` Its period ends at ${new Date(endsMs).toISOString()}.`;
  return `Budget (${scope}): ${left} of ${limit} left${money}.${end}`;
}

function result(text: string, structuredContent: JsonObject): JsonObject {
  return { content: [{ type: 'text', text }], structuredContent };
}
