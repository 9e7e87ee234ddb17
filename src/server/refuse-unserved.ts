// Keys that are read and checked, and that nothing serves yet: a start that took them would promise
// something that does not happen.
import type { Config, ConfigProblem } from '../config/config.ts';

export function unservedKeys({ approvals, placeOf }: Config): readonly ConfigProblem[] {
  const unserved: readonly (readonly [key: string, isGiven: boolean])[] = [
    ['notify', approvals.notify.length > 0],
    ['channel', approvals.channel !== undefined],
    ['self_approval', approvals.solo !== undefined],
  ];
  return [
    ...unserved.flatMap(([key, isGiven]) =>
      isGiven ? [problem(placeOf, ['approvals', key], key)] : [],
    ),
    ...(approvals.oidc === undefined ? [] : [problem(placeOf, ['http', 'oidc'], 'oidc')]),
  ];
}

function problem(placeOf: Config['placeOf'], path: readonly string[], key: string): ConfigProblem {
  return { ...placeOf(path), message: `\`${key}\` is not available in this version: remove it` };
}
