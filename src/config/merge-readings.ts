// One value of a registry, used by several parameters: all of them must mean the same.
import type {
  NormaliserSettings,
  ParamContract,
  ParamType,
  ValueReading,
} from '../core/contract.ts';
import { given } from './given.ts';

interface Merging {
  /** What the registry says itself. */
  readonly normalize: string | undefined;
  /** Whether a text is compared exactly when the registry says nothing. */
  readonly isExactByDefault: boolean;
  readonly report: (message: string) => void;
}

/** The one reading of all users; a value without users is a text. */
export function mergeReadings(users: readonly ParamContract[], merging: Merging): ValueReading {
  const types = distinct(users, ({ type }) => (type === 'integer' ? 'number' : type));
  const scales = distinct(users, ({ scale }) => scale);
  const settings = distinct(users, (param) => JSON.stringify(param.settings));
  const normalisers = distinct(users, ({ normalize }) => normalize ?? 'exact');
  const type = types[0] ?? 'string';
  if (types.length > 1) tellApart(merging, 'types', types);
  else if (scales.length > 1) tellApart(merging, 'scales', scales);
  else if (settings.length > 1) tellApart(merging, 'settings', settings);
  else if (isByUsers(merging) && normalisers.length > 1)
    tellApart(merging, 'normalisers', normalisers);
  checkType(type, users, merging);
  return {
    type,
    scale: scales[0] ?? 1,
    settings: JSON.parse(settings[0] ?? '{}') as NormaliserSettings,
    ...given({
      normalize: merging.normalize ?? (isByUsers(merging) ? users[0]?.normalize : undefined),
    }),
  };
}

const isByUsers = ({ normalize, isExactByDefault }: Merging): boolean =>
  normalize === undefined && !isExactByDefault;

function tellApart({ report }: Merging, what: string, values: readonly unknown[]): void {
  report(
    `is read with different ${what} (${values.join(', ')}): give each use its own registry or field`,
  );
}

function checkType(
  type: ParamType,
  users: readonly ParamContract[],
  { normalize, report }: Merging,
): void {
  const [user] = users;
  if (normalize === undefined || user === undefined) return;
  if (type !== 'number' && type !== 'boolean') return;
  report(
    `is normalised as \`${normalize}\`, and the parameter \`${user.name}\` is a ${user.type}: remove \`normalize\``,
  );
}

const distinct = <T>(
  users: readonly ParamContract[],
  read: (param: ParamContract) => T,
): readonly T[] => [...new Set(users.map(read))];
