// Trust policies of transparency logs (c2sp.org/tlog-policy): which logs are believed, which
// witnesses are known, and how many of them must have seen the same tree.
import { err, ok, type Result } from '../core/result.ts';
import { keyTypes, parseVerifierKey, type VerifierKey } from './verifier-key.ts';

/** Witnesses or groups of which at least `threshold` must have cosigned. */
interface WitnessGroup {
  readonly threshold: number;
  readonly members: readonly string[];
}

/** A policy as read. */
export interface TlogPolicy {
  readonly logs: readonly VerifierKey[];
  readonly witnesses: ReadonlyMap<string, VerifierKey>;
  readonly groups: ReadonlyMap<string, WitnessGroup>;
  /** Name of a witness or group, or `none`. */
  readonly quorum: string;
}

/** Why a text is no policy. */
export interface PolicyFault {
  readonly code:
    | 'POLICY_TOO_LARGE'
    | 'POLICY_CHARACTER'
    | 'POLICY_LINE'
    | 'POLICY_KEY'
    | 'POLICY_NAME'
    | 'POLICY_DUPLICATE'
    | 'POLICY_THRESHOLD'
    | 'POLICY_QUORUM';
  /** 1 for the first line; 0 when the text as a whole is meant. */
  readonly line: number;
}

/** Longest policy text in UTF-16 units, and most lines of each kind; the format asks for 32. */
export const policyLengthMax = 262_144;
const policyEntriesMax = 256;

/** Reads a policy; anything that is not exactly the format is refused. */
export async function parseTlogPolicy(text: string): Promise<Result<TlogPolicy, PolicyFault>> {
  if (text.length > policyLengthMax) return err({ code: 'POLICY_TOO_LARGE', line: 0 });
  const policy = new PolicyReader();
  for (const [i, line] of text.split('\n').entries()) {
    const code = forbidden.test(line) ? 'POLICY_CHARACTER' : await policy.read(line);
    if (code !== undefined) return err({ code, line: i + 1 });
  }
  const { logs, witnesses, groups, quorum } = policy;
  if (quorum === undefined) return err({ code: 'POLICY_QUORUM', line: 0 });
  return ok({ logs, witnesses, groups, quorum });
}

type FaultCode = PolicyFault['code'];

// Everything but tab, printable ASCII and what is not ASCII.
const forbidden = /[^\t\u0020-\u007e\u0080-\uffff]/;
const none = 'none';

class PolicyReader {
  readonly logs: VerifierKey[] = [];
  readonly witnesses = new Map<string, VerifierKey>();
  readonly groups = new Map<string, WitnessGroup>();
  quorum: string | undefined;
  readonly #members = new Set<string>();

  async read(line: string): Promise<FaultCode | undefined> {
    const [kind, ...items] = line.split(/[ \t]+/).filter((item) => item !== '');
    if (kind === undefined || kind.startsWith('#')) return undefined;
    switch (kind) {
      case 'log':
        return this.#readLog(items);
      case 'witness':
        return this.#readWitness(items);
      case 'group':
        return this.#readGroup(items);
      case 'quorum':
        return this.#readQuorum(items);
      default:
        return 'POLICY_LINE';
    }
  }

  async #readLog(items: readonly string[]): Promise<FaultCode | undefined> {
    const [text, , ...rest] = items;
    if (text === undefined || rest.length > 0) return 'POLICY_LINE';
    const key = await parseVerifierKey(text);
    if (!key.ok || keyTypes.get(key.value.type)?.use === 'cosigner') return 'POLICY_KEY';
    if (isKnown(key.value, this.logs)) return 'POLICY_DUPLICATE';
    this.logs.push(key.value);
    return this.logs.length > policyEntriesMax ? 'POLICY_TOO_LARGE' : undefined;
  }

  async #readWitness(items: readonly string[]): Promise<FaultCode | undefined> {
    const [name, text, , ...rest] = items;
    if (name === undefined || text === undefined || rest.length > 0) return 'POLICY_LINE';
    if (this.#isTaken(name)) return 'POLICY_NAME';
    const key = await parseVerifierKey(text);
    if (!key.ok || keyTypes.get(key.value.type)?.use === 'log') return 'POLICY_KEY';
    if (isKnown(key.value, [...this.witnesses.values()])) return 'POLICY_DUPLICATE';
    this.witnesses.set(name, key.value);
    return this.witnesses.size > policyEntriesMax ? 'POLICY_TOO_LARGE' : undefined;
  }

  #readGroup(items: readonly string[]): FaultCode | undefined {
    const [name, thresholdText, ...members] = items;
    if (name === undefined || thresholdText === undefined || members.length === 0) {
      return 'POLICY_LINE';
    }
    if (this.#isTaken(name)) return 'POLICY_NAME';
    for (const member of members) {
      if (!this.#isDefined(member)) return 'POLICY_NAME';
      // A witness may count towards a quorum in one way only.
      if (this.#members.has(member)) return 'POLICY_DUPLICATE';
      this.#members.add(member);
    }
    const threshold = parseThreshold(thresholdText, members.length);
    if (threshold === undefined) return 'POLICY_THRESHOLD';
    this.groups.set(name, { threshold, members });
    return this.groups.size > policyEntriesMax ? 'POLICY_TOO_LARGE' : undefined;
  }

  #readQuorum(items: readonly string[]): FaultCode | undefined {
    const [name, ...rest] = items;
    if (name === undefined || rest.length > 0) return 'POLICY_LINE';
    if (this.quorum !== undefined) return 'POLICY_QUORUM';
    if (name !== none && !this.#isDefined(name)) return 'POLICY_NAME';
    this.quorum = name;
    return undefined;
  }

  #isDefined(name: string): boolean {
    return this.witnesses.has(name) || this.groups.has(name);
  }

  #isTaken(name: string): boolean {
    return name === none || this.#isDefined(name);
  }
}

/** Two keys are the same when the key itself is, whatever its name and id. */
function isKnown(key: VerifierKey, others: readonly VerifierKey[]): boolean {
  return others.some((other) => other.publicKey.join() === key.publicKey.join());
}

function parseThreshold(text: string, memberCount: number): number | undefined {
  if (text === 'all') return memberCount;
  if (text === 'any') return 1;
  const threshold = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  return threshold >= 1 && threshold <= memberCount ? threshold : undefined;
}
