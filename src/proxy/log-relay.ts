// Log messages of the servers, passed on to a client that asked for them, and only as loud as it
// asked. Lines of the gateway itself never mix in.
import type { JsonObject } from '../core/json-value.ts';

const severities: ReadonlyMap<string, number> = new Map(
  ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'].map(
    (level, severity) => [level, severity] as const,
  ),
);

/** True for one of the levels of the protocol. */
export const isLogLevel = (level: string): boolean => severities.has(level);

export class LogRelay {
  readonly #send: (text: string) => void;
  #session: number | undefined;
  readonly #requests: number[] = [];

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Level for the whole session (`logging/setLevel`). */
  setSessionLevel(level: string): void {
    this.#session = severities.get(level);
  }

  /** Level for as long as one request is open. False when there is no such level. */
  startRequest(level: string): boolean {
    const severity = severities.get(level);
    if (severity !== undefined) this.#requests.push(severity);
    return severity !== undefined;
  }

  endRequest(level: string): void {
    const severity = severities.get(level);
    const index = severity === undefined ? -1 : this.#requests.indexOf(severity);
    if (index !== -1) this.#requests.splice(index, 1);
  }

  relay(params: JsonObject): void {
    const severity = severities.get(String(params['level']));
    const threshold = Math.min(this.#session ?? Number.POSITIVE_INFINITY, ...this.#requests);
    if (severity === undefined || severity < threshold) return;
    const body = JSON.stringify(params);
    this.#send(`{"jsonrpc":"2.0","method":"notifications/message","params":${body}}`);
  }
}
