// The gateway's own tools as clients see them. They only tell; none of them changes anything.
import type { JsonObject } from '../core/json-value.ts';

export const ownToolNames = [
  'intentplane_list_trusted',
  'intentplane_explain',
  'intentplane_status',
] as const;

export type OwnToolName = (typeof ownToolNames)[number];

const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const ownToolDefinitions: readonly JsonObject[] = [
  {
    name: 'intentplane_list_trusted',
    title: 'List trusted values',
    description:
      'Lists the ids and masked values of the records that guarded arguments may refer to. Pass an id to a guarded argument as "ref:<id>".',
    inputSchema: {
      type: 'object',
      properties: { registry: { type: 'string', description: 'Only this registry.' } },
      additionalProperties: false,
    },
    annotations: readOnly,
  },
  {
    name: 'intentplane_explain',
    title: 'Explain a decision',
    description:
      'Tells why a call of this session was refused, is waiting or failed, and what to do next.',
    inputSchema: {
      type: 'object',
      properties: {
        decision_id: { type: 'string', description: 'The decision id from the answer.' },
      },
      required: ['decision_id'],
      additionalProperties: false,
    },
    annotations: readOnly,
  },
  {
    name: 'intentplane_status',
    title: 'Show the state of this session',
    description:
      'Shows the budgets that are left, when their periods end, and the confirmations that wait for a person.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: readOnly,
  },
];
