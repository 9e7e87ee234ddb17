import type { Requirement } from './requirement.ts';

/** Ids start with `APR-`. The lines of section 9 are rows of their own below APR-28. */
export const approvalsRequirements: readonly Requirement[] = [
  {
    id: 'APR-05',
    source: 'approvals 2',
    behaviour: 'an expired request is refused at the answer and at dispatch',
  },
  { id: 'APR-06', source: 'approvals 3', behaviour: 'level 1 is answered only by the principal' },
  {
    id: 'APR-04',
    source: 'approvals 2',
    behaviour: 'an approval is used once, also over restarts',
  },
  {
    id: 'APR-11',
    source: 'approvals 4',
    behaviour: 'what a passkey signs is the 32 bytes of the operation hash, and it fits no other',
  },
  {
    id: 'APR-12',
    source: 'approvals 4',
    behaviour: 'a passkey counts only when its authenticator verified the person',
  },
  {
    id: 'APR-13',
    source: 'approvals 4',
    behaviour: 'passcode string in both spellings, its bounds, the lock after failures, the queue',
  },
  {
    id: 'APR-14',
    source: 'approvals 4',
    behaviour:
      'an approval by OpenID sign-in needs one of the last 60 s; a person is issuer and subject',
  },
  {
    id: 'APR-16',
    source: 'approvals 4',
    behaviour: 'level 2 is never asked through the client of the agent',
  },
  { id: 'APR-17', source: 'approvals 5', behaviour: 'opening a link decides nothing' },
  {
    id: 'APR-19',
    source: 'approvals 5',
    behaviour: 'a pending answer names the link; the repeat of the same call uses the grant, once',
  },
  {
    id: 'APR-20',
    source: 'approvals 6',
    behaviour: 'the page shows every resolved parameter with its source',
  },
  {
    id: 'APR-21',
    source: 'approvals 6',
    behaviour: 'an incomplete preview cannot be approved',
  },
  {
    id: 'APR-22',
    source: 'approvals 6',
    behaviour:
      'a request is compared with earlier operations: recipient, amount, fields, records, denials',
  },
  {
    id: 'APR-24',
    source: 'approvals 7',
    behaviour: 'prompts per 100 actions, approve rate and answer times are right',
  },
  {
    id: 'APR-25',
    source: 'approvals 7',
    behaviour: 'three equal approvals draft an amendment of the mandate; a draft allows nothing',
  },
  {
    id: 'APR-28.1',
    source: 'approvals 9.1',
    behaviour: 'the page binds 127.0.0.1 and ::1 only; another address is a start error',
  },
  {
    id: 'APR-28.2',
    source: 'approvals 9.2',
    behaviour: 'any `Host` but the own ones is answered 421',
  },
  {
    id: 'APR-28.3',
    source: 'approvals 9.3',
    behaviour: 'GET on an IP literal redirects to localhost',
  },
  {
    id: 'APR-28.4',
    source: 'approvals 9.4',
    behaviour:
      'a change needs POST, the own `Origin`, `Sec-Fetch-Site: same-origin`, the CSRF token and JSON',
  },
  {
    id: 'APR-28.5',
    source: 'approvals 9.5',
    behaviour: 'no CORS header on any answer; a preflight is refused',
  },
  {
    id: 'APR-28.6',
    source: 'approvals 9.6',
    behaviour: 'the content security policy allows own script, style and connections only',
  },
  {
    id: 'APR-28.7',
    source: 'approvals 9.7',
    behaviour: 'no answer can be framed, sniffed, cached or referred from',
  },
  {
    id: 'APR-28.8',
    source: 'approvals 9.8',
    behaviour: 'no inline script or style, no request to another origin',
  },
  {
    id: 'APR-28.9',
    source: 'approvals 9.9',
    behaviour:
      'a session is a strict cookie of this gateway, new at each sign-in, 15 min idle and 8 h at most',
  },
  {
    id: 'APR-28.10',
    source: 'approvals 9.10',
    behaviour: 'a path is decoded once; ambiguous spellings are refused before routing',
  },
  {
    id: 'APR-28.11',
    source: 'approvals 9.11',
    behaviour: 'bodies, times, connections and passcode tries are bounded; JSON is strict',
  },
  {
    id: 'APR-28.12',
    source: 'approvals 9.12',
    behaviour: 'an unknown id and one of somebody else get the same 404',
  },
  {
    id: 'APR-28.13',
    source: 'approvals 9.13',
    behaviour: 'text of an agent reaches HTML, headers and log only escaped',
  },
  {
    id: 'APR-28.14',
    source: 'approvals 9.14',
    behaviour: 'the page cannot change servers, configuration or policy, or read a key',
  },
  {
    id: 'APR-28.16',
    source: 'approvals 9.16',
    behaviour: 'errors show a code, no stack and no path',
  },
  {
    id: 'APR-31',
    source: 'approvals 4',
    behaviour: 'assurance and channel of an answer stand in its leaf and in what `verify` says',
  },
  {
    id: 'APR-32',
    source: 'approvals 2',
    behaviour:
      'reject and cancel end the request; a repeat is not asked for 10 min; three rejects suspend the mandate',
  },
  {
    id: 'APR-33',
    source: 'approvals 2',
    behaviour: 'open requests are limited per mandate; equal ones are one request',
  },
  {
    id: 'APR-07',
    source: 'approvals 3',
    behaviour:
      'level 2 is answered by a different person, and exclusions hold on every entry point',
  },
  {
    id: 'APR-08',
    source: 'approvals 3',
    behaviour: 'a quorum counts different persons and fills each role by a different one',
  },
  {
    id: 'APR-10',
    source: 'approvals 3',
    behaviour: 'alone: refused at once, or twice with a waiting time and marked',
  },
  {
    id: 'APR-26',
    source: 'approvals 8',
    behaviour: 'whatever changed until dispatch voids the approval and is named',
  },
  {
    id: 'APR-27',
    source: 'approvals 8',
    behaviour: 'a revocation before dispatch wins',
  },
  {
    id: 'APR-23',
    source: 'approvals 7',
    behaviour: 'level 2 waits and asks for the last characters, on the side of the server',
  },
  {
    id: 'APR-28.15',
    source: 'approvals 9.15',
    behaviour: 'the first passkey needs a one-time code',
  },
  {
    id: 'APR-28.17',
    source: 'approvals 9.17',
    behaviour: 'what an agent is known by counts nowhere on the page',
  },
  {
    id: 'APR-30',
    source: 'approvals 11',
    behaviour: 'the page for other computers shows nothing without a session',
  },
  { id: 'APR-09', source: 'approvals 3', behaviour: 'changes of people need another person' },
];
