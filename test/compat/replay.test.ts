// Replays every recorded 0.5.3 configuration on our proxy. A call without `differs` must end as the
// Python package ended it; a call with `differs` must end as its row of the manifest says.
import { beforeAll, describe, expect, it } from 'vitest';
import { compatRequirements } from '../requirements/compat.ts';
import { verifies } from '../requirements/verifies.ts';
import { caseNames, type Expectation, type RecordedCase, readCase } from './case-files.ts';
import { type CaseRun, type ObservedOutcome, runCase } from './case-runner.ts';
import { forEachLimited } from './for-each-limited.ts';

const cases: RecordedCase[] = caseNames().map(readCase);
const runs = new Map<string, PromiseSettledResult<CaseRun>>();

// The proxy holds one call of this case for 45 s: it goes first, the others run beside it.
const HELD_CASE = 'step-up-answers';
const REPLAY_TIME_MS = 280_000;
const CASES_AT_ONCE = 3;

beforeAll(async () => {
  const heldFirst = cases.toSorted(
    (a, b) => Number(b.name === HELD_CASE) - Number(a.name === HELD_CASE),
  );
  await forEachLimited(heldFirst, CASES_AT_ONCE, async (recorded) => {
    const elicitation = recorded.client?.elicitation ?? true;
    const run = runCase({ base: recorded.name, elicitation }, recorded.calls);
    const [settled] = await Promise.allSettled([run]);
    runs.set(recorded.name, settled);
  });
}, REPLAY_TIME_MS);

function runOf(name: string): CaseRun {
  const settled = runs.get(name);
  if (settled?.status === 'fulfilled') return settled.value;
  throw settled?.reason ?? new Error(`${name} was not run`);
}

describe('a 0.5.3 configuration', () => {
  it('is recorded at least ten times, with the package that answered', () => {
    expect(cases.length).toBeGreaterThanOrEqual(10);
    for (const { name, python } of cases) {
      expect(python, name).toEqual({ package: 'intentplane-mcp', version: '0.5.3' });
    }
  });

  for (const recorded of cases) {
    verifies('C00', `${recorded.name}: what worked still works`, () => {
      const run = runOf(recorded.name);
      const same = recorded.calls.flatMap((call, index) => (call.differs ? [] : [index]));
      const ours = same.map((index) => comparable(index, run.outcomes[index]));
      const python = same.map((index) => comparable(index, recorded.calls[index]?.outcome));
      expect(ours).toEqual(python);
    });

    it(`${recorded.name}: lists the same tools and speaks in the same form`, () => {
      const run = runOf(recorded.name);
      expect(run.tools).toEqual(expect.arrayContaining([...recorded.tools]));
      expect(run.strayLines).toEqual([]);
      const denied = run.outcomes.filter((outcome) => outcome.status === 'denied');
      for (const { fullText } of denied)
        expect(fullText).toMatch(/^Blocked by intentplane: \[\w+\] /);
    });
  }
});

// What must be equal. Python names no stage where a person was needed and did not confirm.
function comparable(index: number, outcome: Partial<ObservedOutcome> | undefined): object {
  const stage = outcome?.class === 'blocked' ? (outcome.stage ?? 'approval') : undefined;
  const { downstreamServer, downstreamTool, downstreamArguments } = outcome ?? {};
  return {
    index,
    class: outcome?.class,
    stage,
    downstreamServer,
    downstreamTool,
    downstreamArguments,
  };
}

const differing = cases.flatMap((recorded) =>
  recorded.calls.flatMap(({ differs, ...call }, index) =>
    differs ? [{ name: recorded.name, index, call, ...differs }] : [],
  ),
);
const checkedRows = new Set<string>();

function expectDifferences(row: string): void {
  checkedRows.add(row);
  const calls = differing.filter((call) => call.row === row);
  expect(calls.length).toBeGreaterThan(0);
  for (const { name, index, call, expect: expected } of calls) {
    const label = `${name} #${index} ${call.tool}`;
    const outcome = runOf(name).outcomes[index];
    expect(visible(outcome, expected), label).toEqual(expected);
    expect(outcome?.downstreamArguments, label).toEqual(expected.downstreamArguments);
  }
}

/** The part of an outcome that an expectation speaks of, in the expectation's own terms. */
function visible(outcome: ObservedOutcome | undefined, expected: Expectation): object {
  if (!outcome) return {};
  const { code, textIncludes, formIncludes } = expected;
  const facts: Record<string, unknown> = {
    ...outcome,
    asked: outcome.asked ?? false,
    code: typeof code === 'string' ? outcome.codes.find((each) => each === code) : outcome.code,
    textIncludes: found(outcome.fullText, textIncludes),
    formIncludes: formIncludes?.map((part) => found(outcome.forms.join('\n'), part)),
  };
  return Object.fromEntries(Object.keys(expected).map((key) => [key, facts[key]]));
}

// The part itself when it is there, else the whole text, so that a failure shows it.
function found(text: string, part: string | undefined): string | undefined {
  return part === undefined || text.includes(part) ? part : text;
}

describe('a deliberate difference', () => {
  verifies('C01', 'an undeclared argument is judged or refused', () => expectDifferences('C01'));
  verifies(
    'C03',
    'a server that dies mid-call leaves an unknown outcome, sent once and charged',
    () => expectDifferences('C03'),
  );
  verifies('C04', 'an amount charged to a budget is more than zero', () =>
    expectDifferences('C04'),
  );
  verifies('C10', 'the text "false" confirms nothing', () => expectDifferences('C10'));
  verifies('C13', 'the form shows every argument', () => expectDifferences('C13'));
  verifies('C14', 'a number that the scale would round is refused', () => expectDifferences('C14'));
  verifies('C15', 'a refusal names the rule that decided', () => expectDifferences('C15'));
  verifies('C17', 'a number that is none is refused', () => expectDifferences('C17'));
  verifies(['C18', 'C57'], 'a tool error leaves an unknown outcome and its repeat asks', () => {
    expectDifferences('C18');
    expectDifferences('C57');
  });
  verifies('C26', 'a server that died is started again', () => expectDifferences('C26'));
  verifies('C28', 'tools of later pages are listed and can be called', () =>
    expectDifferences('C28'),
  );
  verifies('C29', 'a changed tool is not called', () => expectDifferences('C29'));
  verifies('C39', 'a decorated address is refused with the way out', () =>
    expectDifferences('C39'),
  );
  verifies('C40', 'a lone surrogate is answered', () => expectDifferences('C40'));
  verifies('C41', 'an empty recipient list is refused', () => expectDifferences('C41'));
  verifies('C44', 'an approval covers the exact amount only', () => expectDifferences('C44'));
  verifies('C50', 'white space other than a space is refused', () => expectDifferences('C50'));
  verifies('C51', 'an exponent is refused', () => expectDifferences('C51'));
  verifies('C52', 'an identical call soon after its success asks', () => expectDifferences('C52'));
  verifies('C53', 'a rejected operation is not asked again at once', () =>
    expectDifferences('C53'),
  );
  verifies('C54', 'a doubled recipient is refused and named', () => expectDifferences('C54'));
  verifies('C55', 'arguments that the inputSchema forbids are refused', () =>
    expectDifferences('C55'),
  );
  verifies('C56', 'a line break in a subject is refused', () => expectDifferences('C56'));
  verifies('C58', 'a hidden tool is answered like an unknown one', () => expectDifferences('C58'));
  verifies('C60', 'a value of another type matches no record', () => expectDifferences('C60'));
  verifies('C61', 'a critical number is compared in the unit of the record', () =>
    expectDifferences('C61'),
  );
  verifies('C63', 'a record can be named in text', () => expectDifferences('C63'));
  verifies('C64', 'an absent critical value is a contract refusal', () => expectDifferences('C64'));
  verifies('C65', 'JSON that readers take differently is refused', () => expectDifferences('C65'));
  verifies('C66', 'letters outside ASCII are not folded', () => expectDifferences('C66'));
  verifies('C72', 'records that differ in spelling only are ambiguous', () =>
    expectDifferences('C72'),
  );

  it('is checked here wherever a case shows one, and has its row', () => {
    const rows = new Set(differing.map((call) => call.row));
    expect([...checkedRows].sort()).toEqual([...rows].sort());
    const known = compatRequirements.map((row) => row.id);
    expect(known).toEqual(expect.arrayContaining([...rows]));
  });
});
