// What a start says although nothing is wrong: places where the file protects less than it seems.
import { budgetCurrency } from '../core/checks/budget-amount.ts';
import { canonicalOf } from '../core/checks/canonical-value.ts';
import type { Contract, ParamContract, SourceRef } from '../core/contract.ts';
import type { Config } from './config.ts';
import type { FileShape } from './file-shape.ts';
import { findPeopleWarnings } from './find-people-warnings.ts';
import { reachableFiles } from './reachable-files.ts';

type Complete = Omit<Config, 'warnings'>;

export function findWarnings(config: Complete, shape: FileShape): readonly string[] {
  return [
    ...undecidedTools(config),
    ...openTools(config),
    ...guardedAnyway(config, shape),
    ...idleSources(config),
    ...foreignRegistries(config),
    ...idleKeys(config),
    ...foreignCurrencies(config),
    ...freeTexts(config),
    ...blindPayments(config),
    ...looseOnceKeys(config),
    ...reachableFiles(config, shape),
    ...shortWait(shape),
    ...findPeopleWarnings(config, shape),
  ];
}

/** The number is what counts: a long list of names is read by nobody. */
function undecidedTools({ tools }: Complete): readonly string[] {
  const passed = tools.filter((tool) => tool.kind === 'passthrough').length;
  if (passed === 0) return [];
  if (passed === tools.length) {
    return [`all ${passed} exposed tools run without a decision: nothing is guarded`];
  }
  return [`${passed} of ${tools.length} exposed tools run without a decision`];
}

/** Names of tools that run whatever text they are given. */
const runsAnything =
  /^(?:exec|execute|run|shell|bash|command|cmd|eval|query|sql|code|script|request)$/i;

function openTools({ tools }: Complete): readonly string[] {
  return tools
    .filter((tool) => tool.kind === 'passthrough' && wordsOf(tool.tool).some(isOpenWord))
    .map(
      ({ server, tool }) =>
        `\`${server}.${tool}\` is passed through and looks as if it runs code, commands or queries: that is a way around every guarded tool`,
    );
}

const isOpenWord = (word: string): boolean => runsAnything.test(word);

/** `runQuery`, `run_query` and `run-query` have the same words. */
const wordsOf = (name: string): readonly string[] =>
  name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z0-9]+/);

function guardedAnyway({ tools }: Complete, { defaults }: FileShape): readonly string[] {
  const guarded = new Set(
    tools.filter((tool) => tool.kind === 'guarded').map(({ server, tool }) => `${server}.${tool}`),
  );
  return (defaults?.passthrough ?? [])
    .filter((name) => guarded.has(name))
    .map((name) => `\`${name}\` is in passthrough and in [[tools]]: it is guarded`);
}

/** Sources of the user's side from which no value can come. */
function idleSources({ contracts, mandate }: Complete): readonly string[] {
  return ofParams(contracts, (param, { action }) =>
    param.sources.flatMap((source) => {
      const why = idleReason(source, param, mandate);
      const of = `the source \`${source.name}\` of \`${param.name}\``;
      return why === undefined ? [] : [`\`${action}\`: ${of} ${why}, so nothing matches it`];
    }),
  );
}

function idleReason(
  source: SourceRef,
  param: ParamContract,
  { claims, request }: Complete['mandate'],
): string | undefined {
  if (source.kind === 'request') {
    return request === undefined ? 'has no request in [mandate]' : undefined;
  }
  if (source.kind !== 'mandate') return undefined;
  if (!Object.hasOwn(claims, source.claim)) return 'has no claim in [mandate.claims]';
  const reads = (claims[source.claim] ?? []).map((value) => canonicalOf(value, param));
  const [fault] = reads.flatMap((read) => (read.ok ? [] : [read]));
  if (fault === undefined || reads.some((read) => read.ok)) return undefined;
  return `holds no ${param.normalize ?? param.type} (${fault.hint ?? fault.detail})`;
}

/** Records of the principal are invisible to a mandate of another owner. */
function foreignRegistries({ registries, mandate }: Complete): readonly string[] {
  if (mandate.tenant === mandate.principal) return [];
  return registries
    .filter(({ reading }) => reading.owner.kind === 'principal')
    .map(
      ({ name }) =>
        `registry \`${name}\` has no \`owner\` and belongs to \`${mandate.principal}\`, and the mandate to \`${mandate.tenant}\`: nothing resolves from it; add owner = "*" or the field that names the owner`,
    );
}

/** Keys that the established files have and that change nothing. */
function idleKeys({ contracts, registries, mandate }: Complete): readonly string[] {
  const isCharged = contracts.some((contract) => contract.budgetParam !== undefined);
  const [amount] = mandate.budgets.filter((budget) => budget.kind === 'amount');
  const amountKey = amount?.window === undefined ? 'budget' : 'period_budget';
  return [
    ...(amount !== undefined && !isCharged
      ? [`[mandate] ${amountKey} is never charged: no tool names a budget_param`]
      : []),
    ...ofParams(contracts, (param, { action }) => idleNormaliser(param, action, registries)),
  ];
}

/** Money of another currency than that of the budgets is refused, call by call. */
function foreignCurrencies({ contracts, mandate }: Complete): readonly string[] {
  const wanted = mandate.budgets.find(({ currency }) => currency !== undefined)?.currency;
  if (wanted === undefined) return [];
  return contracts.flatMap((contract) => {
    if (contract.budgetParam === undefined) return [];
    const { currency } = budgetCurrency(contract);
    if (currency === wanted) return [];
    const what =
      currency === undefined ? 'an amount without a currency' : `an amount in ${currency}`;
    return [
      `\`${contract.action}\` charges ${what} and [mandate] currency is ${wanted}: every call of it is refused`,
    ];
  });
}

function idleNormaliser(
  { name, critical, normalize, sources }: ParamContract,
  action: string,
  registries: Complete['registries'],
): readonly string[] {
  if (normalize === undefined) return [];
  const place = `\`${action}\`: \`normalize\` of \`${name}\``;
  if (!critical) return [`${place} has no effect: the value is not critical`];
  return sources.flatMap((source) => {
    if (source.kind !== 'registry' || source.field !== undefined) return [];
    const registry = registries.find((each) => each.name === source.registry);
    if (registry?.reading.own.normalize !== undefined) return [];
    return [
      `${place} is not that of the registry \`${source.registry}\`, which compares exactly: add \`normalize\` there`,
    ];
  });
}

function freeTexts({ contracts }: Complete): readonly string[] {
  const undeclared = contracts
    .filter((contract) => contract.undeclared === 'free')
    .map(
      ({ action }) => `\`${action}\`: undeclared arguments are not looked at (undeclared = "free")`,
    );
  const texts = ofParams(contracts, ({ name, text }, { action }) =>
    text === 'free' ? [`\`${action}\`: the text \`${name}\` is not looked at (text = "free")`] : [],
  );
  return [...undeclared, ...texts];
}

/** Money whose fate only a person can find out keeps its part of the budget until somebody looks. */
function blindPayments({ contracts, mandate }: Complete): readonly string[] {
  if (!mandate.budgets.some(({ kind }) => kind === 'amount')) return [];
  const blind = contracts.filter(
    (contract) =>
      contract.budgetParam !== undefined &&
      contract.effect === 'write' &&
      contract.reconcile === undefined,
  );
  const sentence = ({ action }: Contract): string =>
    `\`${action}\` has a budget and no \`reconcile\`: when its outcome is unknown, only a person can settle it`;
  return [...new Set(blind.map(sentence))];
}

/** Two spellings of one id would be two. */
function looseOnceKeys({ contracts }: Complete): readonly string[] {
  return ofParams(contracts, ({ name, type, critical, normalize, oneOf, pattern }, contract) => {
    const isOnce = contract.once?.includes(name) === true;
    const isLoose = type === 'string' && !critical && normalize === undefined;
    if (!isOnce || !isLoose || oneOf !== undefined || pattern !== undefined) return [];
    return [
      `\`${contract.action}\`: \`${name}\` counts once and may be spelled in any way: add \`normalize\`, \`pattern\` or sources`,
    ];
  });
}

function shortWait({ approvals }: FileShape): readonly string[] {
  return (approvals?.wait ?? 0) > 45
    ? ['[approvals] wait is longer than hosts hold a call: 45 s are used']
    : [];
}

/** One sentence for each kind of finding, also when several tools share an action. */
function ofParams(
  contracts: readonly Contract[],
  find: (param: ParamContract, contract: Contract) => readonly string[],
): readonly string[] {
  const found = contracts.flatMap((contract) =>
    contract.params.flatMap((param) => find(param, contract)),
  );
  return [...new Set(found)];
}
