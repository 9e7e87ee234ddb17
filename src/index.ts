// The public root of the package. Each name is exported by hand: what is not here may change.

/** What an action accepts, parameter by parameter. */
export type {
  Contract,
  IdempotencyTerms,
  LookupMatch,
  LookupRule,
  NormaliserSettings,
  ParamContract,
  ParamType,
  PathStep,
  SourceRef,
  SuccessShape,
  ValueReading,
} from './core/contract.ts';
/** The rule that decides: facts in, allow, ask or deny out; pure and synchronous. */
export { decide, type Judgement } from './core/decide.ts';
/** What a decision says. */
export type {
  Allow,
  Ask,
  Decision,
  Deny,
  Failure,
  Level,
  LevelReason,
  Origin,
  ResolvedValue,
} from './core/decision.ts';
/** What a decision is made from: the call, the mandate, budgets, repeats and policy verdicts. */
export type {
  BudgetFact,
  CallFact,
  CallFault,
  Candidate,
  CriticalValue,
  Facts,
  FreeValue,
  LiveFacts,
  MandateFact,
  OnceFact,
  ParamFact,
  PolicyFact,
  RepeatFact,
  SourceFinding,
  StaticFacts,
  TextFact,
} from './core/facts.ts';
/** JSON as it travels through the gateway: numbers keep their text. */
export type { JsonObject, JsonValue, RawNumber } from './core/json-value.ts';
/** Every reason code with its stage, its sentence and the next legal step. */
export {
  type NextStep,
  type ReasonCode,
  reasonCodes,
  type Stage,
  stages,
} from './core/reason-codes.ts';

/** An outsider's proof of one receipt: no network, no store, no clock. */
export {
  notProven,
  type StepCode,
  type StepStatus,
  type VerifiedReceipt,
  type VerifyReport,
  type VerifySettings,
  type VerifyStep,
  verifyBundle,
} from './receipts/verify.ts';
