// `[[people]]`: who may answer approval requests, and the passcode of the owner, which stands in either of two places.
import { type BuildContext, type Report, reporter } from './build-context.ts';
import { checkPeople } from './check-people.ts';
import type { PersonConfig } from './config.ts';
import type { FileShape, PersonShape } from './file-shape.ts';
import { readEmail } from './read-email.ts';
import { type ReadPasscode, readPasscode } from './read-passcode.ts';

/** The people of the file, and what the principal answers with. */
export interface People {
  readonly people: readonly PersonConfig[];
  readonly owner: {
    /** `[approvals] passcode`, or that of the principal's own row. */
    readonly passcode: ReadPasscode | undefined;
    /** Whether one is given, be it a wrong one. */
    readonly hasPasscode: boolean;
  };
}

export function buildPeople(
  { people: shapes = [], approvals }: FileShape,
  { principal, context }: { readonly principal: string; readonly context: BuildContext },
): People {
  const report = reporter(context, ['people']);
  const read = shapes.map((shape, index) =>
    readPerson(shape, context, reporter(context, ['people', index])),
  );
  const approvalsPasscode = readPasscode(approvals?.passcode, {
    context,
    report: reporter(context, ['approvals']),
    of: '[approvals]',
  });
  const row = read.findIndex(({ id }) => id === principal);
  const own = passcodeOf(read[row]);
  if (own !== undefined && approvalsPasscode !== undefined && own.text !== approvalsPasscode.text) {
    report(
      [row, 'passcode'],
      `\`${principal}\` is the principal and has another one in [approvals]: remove one of them`,
    );
  }
  const passcode = approvalsPasscode ?? own;
  const people = read.map((person) =>
    person.id === principal
      ? { ...person, passcode: passcode?.passcode, passcodeText: passcode?.text }
      : person,
  );
  checkPeople(people, report);
  reportSharedWithOwner(people, { principal, passcode, report });
  const hasPasscode = approvals?.passcode !== undefined || shapes[row]?.passcode !== undefined;
  return { people, owner: { passcode, hasPasscode } };
}

function readPerson(shape: PersonShape, context: BuildContext, report: Report): PersonConfig {
  const passcode = readPasscode(shape.passcode, {
    context,
    report,
    of: `[[people]] \`${shape.id}\`:`,
  });
  const email = shape.email === undefined ? undefined : readEmail(shape.email);
  if (email?.ok === false) report(['email'], email.error);
  return {
    id: shape.id,
    name: shape.name ?? shape.id,
    email: email?.ok === true ? email.value : undefined,
    roles: [...new Set(shape.roles ?? [])],
    passcode: passcode?.passcode,
    passcodeText: passcode?.text,
    oidcSubject: shape.oidc_subject,
    awayUntilMs: shape.away_until,
  };
}

function passcodeOf(person: PersonConfig | undefined): ReadPasscode | undefined {
  const { passcode, passcodeText: text } = person ?? {};
  return passcode === undefined || text === undefined ? undefined : { passcode, text };
}

interface Owner {
  readonly principal: string;
  readonly passcode: ReadPasscode | undefined;
  readonly report: Report;
}

/** An owner without a row of its own is no part of the comparison of people. */
function reportSharedWithOwner(
  people: readonly PersonConfig[],
  { principal, passcode, report }: Owner,
): void {
  if (passcode === undefined || people.some(({ id }) => id === principal)) return;
  for (const [index, { id, passcodeText }] of people.entries()) {
    if (passcodeText !== passcode.text) continue;
    report(
      [index, 'passcode'],
      `\`${id}\` has the passcode of [approvals], which is that of \`${principal}\`: each person needs an own one`,
    );
  }
}
