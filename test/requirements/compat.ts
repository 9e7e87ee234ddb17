import type { Requirement } from './requirement.ts';

const KEPT = 'compat 1';
const DIFFERENT = 'compat 2';
const CONFIG = 'config 1 deliberate differences';

/** Ids start with `C`. Rows up to C57 have the numbers of the document's table. */
export const compatRequirements: readonly Requirement[] = [
  {
    id: 'C00',
    source: KEPT,
    behaviour:
      'a 0.5.3 file gives the same outcome, stage and downstream arguments as the Python package',
  },
  {
    id: 'C01',
    source: DIFFERENT,
    behaviour:
      'an undeclared argument passes the outbound-text rule, one that the inputSchema does not know is refused',
  },
  {
    id: 'C03',
    source: DIFFERENT,
    behaviour:
      'a downstream that dies after the effect leaves UNKNOWN: reservation kept, approval consumed, never re-sent',
  },
  { id: 'C04', source: DIFFERENT, behaviour: 'an amount charged to a budget is more than zero' },
  {
    id: 'C06',
    source: DIFFERENT,
    behaviour: 'a restart or a second process joins the same budget',
  },
  {
    id: 'C07',
    source: DIFFERENT,
    behaviour:
      'an unknown key is a load error with the nearest key; --lenient makes it a warning, except inside a parameter',
  },
  { id: 'C08', source: DIFFERENT, behaviour: 'a scale of zero or less is a load error' },
  { id: 'C10', source: DIFFERENT, behaviour: 'only the exact choice of the form confirms' },
  {
    id: 'C11',
    source: DIFFERENT,
    behaviour: 'a call that is cancelled before dispatch never executes',
  },
  { id: 'C13', source: DIFFERENT, behaviour: 'a person sees every argument of the operation' },
  {
    id: 'C14',
    source: DIFFERENT,
    behaviour: 'a number that the scale would round is refused: what is judged is what is sent',
  },
  {
    id: 'C15',
    source: DIFFERENT,
    behaviour: 'a refusal names the rule that decided, by its own @id or by its line',
  },
  { id: 'C17', source: DIFFERENT, behaviour: 'NaN, Infinity and 1e400 are refused with an answer' },
  {
    id: 'C18',
    source: DIFFERENT,
    behaviour: 'a tool error of a write is an unknown outcome that keeps its reservation',
  },
  {
    id: 'C24',
    source: DIFFERENT,
    behaviour: 'a client of revision 2026-07-28 confirms through input_required',
  },
  {
    id: 'C25',
    source: DIFFERENT,
    behaviour: 'a slow downstream call does not delay any other call',
  },
  { id: 'C26', source: DIFFERENT, behaviour: 'a server that ended is started again' },
  {
    id: 'C27',
    source: DIFFERENT,
    behaviour: 'a server that cannot start leaves the others working',
  },
  { id: 'C28', source: DIFFERENT, behaviour: 'every page of a tool list is read' },
  { id: 'C29', source: DIFFERENT, behaviour: 'a tool whose definition changed is not called' },
  { id: 'C30', source: DIFFERENT, behaviour: 'progress of a call reaches the client that asked' },
  { id: 'C34', source: DIFFERENT, behaviour: 'tools with equal contracts may share an action' },
  {
    id: 'C37',
    source: DIFFERENT,
    behaviour: 'the session mandate is renewed from the configuration while the process runs',
  },
  { id: 'C38', source: DIFFERENT, behaviour: 'an optional parameter may be absent' },
  {
    id: 'C39',
    source: DIFFERENT,
    behaviour: 'a decorated address is refused with the next legal step',
  },
  { id: 'C40', source: DIFFERENT, behaviour: 'a lone surrogate is refused with an answer' },
  { id: 'C41', source: DIFFERENT, behaviour: 'an empty critical list is refused by default' },
  {
    id: 'C44',
    source: DIFFERENT,
    behaviour: 'an approval covers the exact amount, never one that rounds to it',
  },
  { id: 'C46', source: DIFFERENT, behaviour: 'a budget that is no number is a load error' },
  {
    id: 'C47',
    source: DIFFERENT,
    behaviour: 'a broken, empty or impossible policy is a load error with its place',
  },
  {
    id: 'C50',
    source: DIFFERENT,
    behaviour: 'white space other than a space in or around a value is refused',
  },
  { id: 'C51', source: DIFFERENT, behaviour: 'an exponent in a number is refused' },
  {
    id: 'C52',
    source: DIFFERENT,
    behaviour: 'an identical call within the duplicate window of its success asks',
  },
  {
    id: 'C53',
    source: DIFFERENT,
    behaviour: 'a rejected operation is refused at once when it is proposed again',
  },
  { id: 'C54', source: DIFFERENT, behaviour: 'a doubled recipient is refused and named' },
  {
    id: 'C55',
    source: DIFFERENT,
    behaviour: 'arguments that the inputSchema forbids are refused with the path',
  },
  { id: 'C56', source: DIFFERENT, behaviour: 'a line break in a subject or title is refused' },
  {
    id: 'C57',
    source: DIFFERENT,
    behaviour: 'the repeat of a call that ended with a tool error asks a person',
  },
  {
    id: 'C58',
    source: 'mcp 2.2 T2',
    behaviour: 'a hidden tool is answered like an unknown one, with -32602',
  },
  {
    id: 'C59',
    source: CONFIG,
    behaviour: 'a record that its normaliser refuses, check digits included, is a load error',
  },
  {
    id: 'C60',
    source: CONFIG,
    behaviour:
      'a value of another type (42 for "42", 1 for true, nothing for "None") never matches',
  },
  {
    id: 'C61',
    source: KEPT,
    behaviour: 'a critical number is compared in the unit of the record, also with a scale',
  },
  {
    id: 'C63',
    source: 'decision 2',
    behaviour: 'a record can also be named in text, as ref:<record id>',
  },
  {
    id: 'C64',
    source: 'decision 3 order of stages',
    behaviour:
      'a critical parameter that is absent or null is a contract refusal, before any lookup',
  },
  {
    id: 'C65',
    source: CONFIG,
    behaviour:
      'doubled keys, −0, integers beyond 2^53−1 and prototype keys are refused for guarded tools',
  },
  {
    id: 'C66',
    source: 'values 3 keyword',
    behaviour: 'letters outside ASCII are not folded: U+212A is not k',
  },
  {
    id: 'C67',
    source: 'mcp 2.2 T8',
    behaviour: 'two entries with one final name, or for one tool, are a load error',
  },
  {
    id: 'C68',
    source: 'decision 4',
    behaviour: 'a source or a passthrough entry that names nothing is a load error',
  },
  {
    id: 'C69',
    source: KEPT,
    behaviour:
      'a server, registry or action name with a space or another character is a load error',
  },
  {
    id: 'C70',
    source: 'decision 4',
    behaviour: 'a budget parameter that is no declared number is a load error',
  },
  {
    id: 'C72',
    source: 'decision 5, values 3 e-mail',
    behaviour:
      'records that differ only in spelling are ambiguous by value; each can still be named',
  },
  {
    id: 'C71',
    source: KEPT,
    behaviour: 'the receipts file of Python is verified and continued, never overwritten',
  },
];
