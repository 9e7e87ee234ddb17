// What a start says about people and approvals: requests that nobody could answer, keys that reach nobody.

import { seatsOf } from '../core/checks/quorum.ts';
import type { Config } from './config.ts';
import type { FileShape } from './file-shape.ts';
import { canFill } from './fill-seats.ts';
import { hint } from './nearest-key.ts';
import { isRemotePage } from './read-page-url.ts';

type Complete = Omit<Config, 'warnings'>;

/** Roles that the product itself asks for. */
const knownRoles = ['approver', 'admin'];
const hourMs = 3_600_000;

export function findPeopleWarnings(config: Complete, shape: FileShape): readonly string[] {
  return [
    ...noPerson(config, shape),
    ...remotePasscode(config, shape),
    ...levelTwoPasscode(config),
    ...emptySeats(config, shape),
    ...hastySolo(config),
    ...misspeltRoles(config),
    ...idleSubjects(config),
    ...mailToNobody(config),
  ];
}

/** A passkey is enrolled, so a file that prepares one shows somebody who can confirm. */
function noPerson({ approvals, mandate, people }: Complete, shape: FileShape): readonly string[] {
  if (approvals.passcode !== undefined) return [];
  const takesMore = approvals.require[1].some(
    (each) => !['elicitation', 'passcode'].includes(each),
  );
  const isPrepared =
    shape.approvals?.require?.['1'] !== undefined ||
    approvals.pageUrl !== undefined ||
    people.some(({ id }) => id === mandate.principal);
  if (takesMore && isPrepared) return [];
  const who = approvals.formAllowed
    ? 'only clients that can show forms can confirm'
    : 'nothing can be confirmed';
  return [`no [approvals] passcode: ${who}; make one with \`intentplane passcode\``];
}

function remotePasscode({ approvals }: Complete, shape: FileShape): readonly string[] {
  const isLeftOut =
    isRemotePage(approvals.pageUrl) && shape.approvals?.require?.['1'] === undefined;
  if (!isLeftOut || approvals.passcodeText === undefined) return [];
  return [
    '[approvals] passcode confirms nothing: a remote page takes it only when `require` names it for level 1',
  ];
}

function levelTwoPasscode({ approvals }: Complete): readonly string[] {
  if (!approvals.require[2].includes('passcode')) return [];
  return [
    '[approvals] require lets a passcode answer level 2: it can be passed on and typed on a forged page, a passkey cannot',
  ];
}

/** The text of policies is not looked at: they may ask for level 2 as well. */
function emptySeats(config: Complete, shape: FileShape): readonly string[] {
  const { approvals, contracts, mandate, people } = config;
  const { quorum, solo } = approvals;
  const floors = contracts.flatMap(({ action, levelFloor }) =>
    levelFloor === 2 ? [`\`${action}\``] : [],
  );
  const isMeant = people.length > 0 || shape.approvals?.quorum !== undefined;
  if (solo !== undefined || (floors.length === 0 && !isMeant)) return [];
  const entitled = people.filter(
    ({ id }) => id !== mandate.principal && !quorum.exclude.includes(id),
  );
  const seats = seatsOf(quorum);
  if (canFill(seats, entitled)) return [];
  const asked = floors.length === 0 ? '' : ` of ${[...new Set(floors)].join(', ')}`;
  const roles = seats.map((role) => `\`${role}\``).join(', ');
  return [
    `level 2${asked} is refused, nobody may answer it: besides \`${mandate.principal}\`, [[people]] must have a different person for each of ${roles}; or set self_approval = "solo"`,
  ];
}

/** A request ends with its mandate, and somebody has to hear of it to object. */
function hastySolo({ approvals, mandate }: Complete): readonly string[] {
  const { solo, notify, channel } = approvals;
  if (solo === undefined) return [];
  const hours = Math.ceil(solo.waitMs / hourMs) + 1;
  return [
    ...(mandate.expiresInMs < solo.waitMs + hourMs
      ? [
          `[approvals] self_approval waits longer than the mandate is valid, so nothing is ever approved: set [mandate] expires_in = "${hours}h"`,
        ]
      : []),
    ...(notify.length === 0 && channel === undefined
      ? [
          '[approvals] self_approval waits for an objection and tells nobody: add [approvals] notify',
        ]
      : []),
  ];
}

function misspeltRoles({ approvals, people }: Complete): readonly string[] {
  const asked = [...knownRoles, ...approvals.quorum.roles];
  return people.flatMap(({ id, roles }) =>
    roles.flatMap((role) => {
      const near = asked.includes(role) ? '' : hint(role, asked);
      return near === ''
        ? []
        : [`[[people]] \`${id}\`: nothing asks for the role \`${role}\`${near}`];
    }),
  );
}

function idleSubjects({ approvals, people }: Complete): readonly string[] {
  if (approvals.oidc !== undefined) return [];
  return people
    .filter(({ oidcSubject }) => oidcSubject !== undefined)
    .map(({ id }) => `[[people]] \`${id}\`: oidc_subject signs nobody in without [http] oidc`);
}

function mailToNobody({ approvals, people }: Complete): readonly string[] {
  const isUnaddressed = approvals.notify.some(
    (notice) => notice.kind === 'mail' && notice.to === undefined,
  );
  if (!isUnaddressed || people.some(({ email }) => email !== undefined)) return [];
  return ['[approvals] notify sends mail to those who may answer, and no [[people]] has an email'];
}
