// The Cedar schema of a set of contracts: what a policy may read and of which type. Sorted, so that
// its SHA-256 depends on the contracts alone and not on their order in a file. Rules are validated
// against the JSON form: reading the text form would cost 20 MiB and 20 ms at each start.
import type {
  ActionType,
  SchemaJson,
  Type,
  TypeOfAttribute,
} from '@cedar-policy/cedar-wasm/nodejs';
import { type PolicyActionShape, type PolicyParamShape, restParam } from '../policy-engine.ts';

const cedarTypes = {
  string: { text: 'String', json: { type: 'String' } },
  long: { text: 'Long', json: { type: 'Long' } },
  boolean: { text: 'Bool', json: { type: 'Boolean' } },
  'string-set': { text: 'Set<String>', json: { type: 'Set', element: { type: 'String' } } },
  'long-set': { text: 'Set<Long>', json: { type: 'Set', element: { type: 'Long' } } },
} as const;

/** The top-level attributes of `context`, with those below the ones that every action shares. */
export const contextAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['params', []],
  ['origin', []],
  ['approval_level', []],
  ['mandate', ['id', 'agent', 'purpose']],
  ['budget', ['left', 'calls_left']],
  ['now', []],
  ['channel', []],
]);

const restShape: PolicyParamShape = { name: restParam, type: 'string', optional: false };

/** The parameters of an action with `_rest`, sorted by name. */
export function allParams(params: readonly PolicyParamShape[]): readonly PolicyParamShape[] {
  const declared = params.filter((param) => param.name !== restParam);
  return [...declared, restShape].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A parameter's type in Cedar's words. */
export function cedarType(param: PolicyParamShape): string {
  return cedarTypes[param.type].text;
}

/** The schema as text that a person can read and Cedar's own tools accept. */
export function schemaText(actions: readonly PolicyActionShape[]): string {
  const servers = serversOf(actions);
  const resource = servers.length === 0 ? '' : ` enum [${servers.map(quoted).join(', ')}]`;
  return [
    '// Generated from the contracts. Every policy is validated against it, strictly.',
    '',
    'type Mandate = { id: String, agent?: String, purpose?: String };',
    'type Budget = { left?: Long, calls_left?: Long };',
    '',
    'entity Principal { scopes: Set<String> };',
    `entity Resource${resource};`,
    ...byAction(actions).flatMap(actionText),
    '',
  ].join('\n');
}

/** The same schema in Cedar's JSON form. */
export function schemaJson(actions: readonly PolicyActionShape[]): SchemaJson<string> {
  const [first, ...others] = serversOf(actions);
  const scopes = { type: 'Record', attributes: { scopes: cedarTypes['string-set'].json } } as const;
  return {
    '': {
      commonTypes: { Mandate: mandateType, Budget: budgetType },
      entityTypes: {
        Principal: { shape: scopes },
        Resource: first === undefined ? {} : { enum: [first, ...others] },
      },
      actions: Object.fromEntries(
        byAction(actions).map((shape) => [shape.action, actionJson(shape)]),
      ),
    },
  };
}

const mandateType = record({
  id: { type: 'String' },
  agent: { type: 'String', required: false },
  purpose: { type: 'String', required: false },
});
const budgetType = record({
  left: { type: 'Long', required: false },
  calls_left: { type: 'Long', required: false },
});

function actionText({ action, params }: PolicyActionShape): readonly string[] {
  const shapes = allParams(params);
  return [
    '',
    `action ${quoted(action)} appliesTo {`,
    '  principal: [Principal],',
    '  resource: [Resource],',
    '  context: {',
    '    params: {',
    ...shapes.map((param) => `      ${attribute(param)}: ${cedarType(param)},`),
    '    },',
    '    origin: {',
    ...shapes.map((param) => `      ${attribute(param)}: String,`),
    '    },',
    '    approval_level: Long,',
    '    mandate: Mandate,',
    '    budget: Budget,',
    '    now: datetime,',
    '    channel: String,',
    '  },',
    '};',
  ];
}

function actionJson({ params }: PolicyActionShape): ActionType<string> {
  const shapes = allParams(params);
  const attributes = (type: (param: PolicyParamShape) => Type<string>): Type<string> =>
    record(
      Object.fromEntries(
        shapes.map((param) => [param.name, { ...type(param), required: !param.optional }]),
      ),
    );
  return {
    appliesTo: {
      principalTypes: ['Principal'],
      resourceTypes: ['Resource'],
      context: record({
        params: attributes((param) => cedarTypes[param.type].json),
        origin: attributes(() => ({ type: 'String' })),
        approval_level: { type: 'Long' },
        mandate: { type: 'Mandate' },
        budget: { type: 'Budget' },
        now: { type: 'Extension', name: 'datetime' },
        channel: { type: 'String' },
      }),
    },
  };
}

function record(attributes: Record<string, TypeOfAttribute<string>>): Type<string> {
  return { type: 'Record', attributes };
}

function serversOf(actions: readonly PolicyActionShape[]): readonly string[] {
  return [...new Set(actions.map((shape) => shape.server))].sort();
}

// Servers that share an action have equal parameters, so one of them stands for all.
function byAction(actions: readonly PolicyActionShape[]): readonly PolicyActionShape[] {
  const shapes = new Map(actions.map((shape) => [shape.action, shape]));
  return [...shapes.values()].sort((a, b) => (a.action < b.action ? -1 : 1));
}

function attribute(param: PolicyParamShape): string {
  return `${quoted(param.name)}${param.optional ? '?' : ''}`;
}

// The escapes of a Cedar string; everything else stands as it is.
function quoted(text: string): string {
  const escaped = text.replace(
    /["\\\p{Cc}]/gu,
    (char) => `\\u{${char.charCodeAt(0).toString(16)}}`,
  );
  return `"${escaped}"`;
}
