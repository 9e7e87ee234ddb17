// What can be told of one parameter by itself: keys that contradict each other, or that could never do anything.
import { normaliserOf, typeNormalisers } from '../core/checks/canonical-value.ts';
import { normalisers } from '../core/checks/normalisers.ts';
import { isPattern } from '../core/checks/pattern.ts';
import { scaleNumber } from '../core/checks/scaled-number.ts';
import { currencyExponents } from '../core/checks/tables/currencies.ts';
import { unitsOf } from '../core/checks/value-bounds.ts';
import type { ParamType } from '../core/contract.ts';
import type { Report } from './build-context.ts';
import type { ParamShape } from './file-shape.ts';
import { hint } from './nearest-key.ts';

/** What an unresolved file names for the arguments that no parameter declares. */
const restName = '_rest';

export function checkParam(name: string, shape: ParamShape, report: Report): void {
  if (name === restName)
    report([], `\`${restName}\` is the name of the undeclared arguments: choose another`);
  checkSources(name, shape, report);
  checkNormaliser(shape, report);
  checkUnits(shape, report);
  checkTextBounds(shape, report);
  checkRange(shape, report);
  checkItems(shape, report);
  checkTextRule(shape, report);
}

const isNumeric = (type: ParamType): boolean => type === 'integer' || type === 'number';
const isStructure = (type: ParamType): boolean => type === 'list' || type === 'object';
const typeOf = ({ type = 'string' }: ParamShape): ParamType => type;

function checkSources(name: string, shape: ParamShape, report: Report): void {
  const { critical = false, sources = [] } = shape;
  if (critical && sources.length === 0) {
    report(
      ['sources'],
      `\`${name}\` is critical and has no source: name one, such as "registry:<name>"`,
    );
  }
  if (!critical && sources.length > 0) {
    report(['sources'], `\`${name}\` has sources and is not critical: add critical = true`);
  }
  if (critical && isStructure(typeOf(shape))) {
    report(
      ['type'],
      `a critical ${shape.type} cannot be compared: declare its values with \`path\` or \`each\``,
    );
  }
}

function checkNormaliser(shape: ParamShape, report: Report): void {
  const { normalize } = shape;
  if (normalize === undefined) return;
  const type = typeOf(shape);
  const own = typeNormalisers.get(type);
  if (!normalisers.has(normalize)) report(['normalize'], unknownNormaliser(normalize));
  else if (type !== 'string' && normalize !== own) {
    report(['normalize'], `a ${type} is not normalised as \`${normalize}\`: remove the key`);
  }
}

/** The sentence about a name that no value type has. */
export function unknownNormaliser(name: string): string {
  const known = [...normalisers.keys()];
  return `there is no normaliser \`${name}\` (known: ${known.join(', ')})${hint(name, known)}`;
}

function checkUnits(shape: ParamShape, report: Report): void {
  const type = typeOf(shape);
  const normaliser = normaliserOf({ ...shape, type });
  const isMoney = normaliser === 'money';
  const isInstant = normaliser === 'instant';
  const { scale = 1, currency, zone } = shape;
  if (scale !== 1 && !isNumeric(type)) {
    report(
      ['scale'],
      `a ${type} has no scale: give the parameter the type number, or remove the key`,
    );
  }
  if (isMoney && currency === undefined) {
    report(['currency'], 'money needs its currency: add one, such as currency = "EUR"');
  } else if (!isMoney && currency !== undefined) {
    report(['currency'], `a ${type} has no currency: give the parameter the type money`);
  } else if (currency !== undefined && !currencyExponents.has(currency)) {
    report(['currency'], `\`${currency}\` is no ISO 4217 currency: write its three capitals`);
  }
  if (zone === undefined) return;
  if (!isInstant) report(['zone'], `a ${type} has no zone: give the parameter the type datetime`);
  else if (!isZone(zone))
    report(['zone'], `\`${zone}\` is no IANA zone: write its exact name, such as Europe/Berlin`);
}

const isZone = (name: string): boolean =>
  name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);

/** Bounds on the wording of a value. */
function checkTextBounds(shape: ParamShape, report: Report): void {
  for (const key of ['enum', 'pattern', 'max_length'] as const) {
    const fault = shape[key] === undefined ? undefined : textBoundFault(key, shape);
    if (fault !== undefined) report([key], fault);
  }
  const type = typeOf(shape);
  if (shape.enum?.some((value) => typeof value !== jsonType(type)) === true) {
    report(['enum'], `holds a value that is no ${type} and could never be sent`);
  }
  if (shape.pattern !== undefined && !isPattern(shape.pattern)) {
    report(['pattern'], 'is no valid pattern (RE2 syntax)');
  }
}

/** A critical value equals a trusted one; whether that one is wanted is a matter of policy. */
function textBoundFault(
  key: 'enum' | 'pattern' | 'max_length',
  shape: ParamShape,
): string | undefined {
  const type = typeOf(shape);
  if (shape.critical === true) {
    return 'bounds a critical value, which must equal a trusted one: check it in the policy';
  }
  if (isStructure(type)) return `cannot bound a ${type}: declare its values`;
  const isText = jsonType(type) === 'string';
  return key === 'enum' || isText ? undefined : `cannot bound a ${type}: use min, max or enum`;
}

function jsonType(type: ParamType): 'number' | 'boolean' | 'string' {
  if (isNumeric(type)) return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

function checkRange(shape: ParamShape, report: Report): void {
  const type = typeOf(shape);
  const units = unitsOf({
    type,
    scale: shape.scale ?? 1,
    settings: { currency: shape.currency ?? '' },
  });
  const bounds = (['min', 'max'] as const).map((key) => {
    const text = shape[key];
    if (text === undefined) return undefined;
    if (!isNumeric(type) && type !== 'money')
      report([key], `cannot bound a ${type}: it has no size`);
    const scaled = scaleNumber(text, units);
    if (scaled.ok) return scaled.value;
    report([key], `is not whole after multiplying by ${units}`);
    return undefined;
  });
  const [min, max] = bounds;
  if (min !== undefined && max !== undefined && min > max)
    report(['min'], 'is larger than max: nothing fits');
}

function checkItems(shape: ParamShape, report: Report): void {
  const { min_items: min, max_items: max } = shape;
  const isList =
    shape.each === true || shape.type === 'list' || shape.path?.includes('[]') === true;
  for (const key of ['min_items', 'max_items'] as const) {
    if (shape[key] !== undefined && !isList)
      report([key], 'counts the items of no list: add each = true');
  }
  if (min !== undefined && max !== undefined && min > max) {
    report(['min_items'], 'is larger than max_items: nothing fits');
  }
}

function checkTextRule(shape: ParamShape, report: Report): void {
  for (const [index, pattern] of (shape.text_allow ?? []).entries()) {
    if (!isPattern(pattern))
      report(['text_allow', index], `\`${pattern}\` is no valid pattern (RE2 syntax)`);
  }
  for (const [index, domain] of (shape.text_domains ?? []).entries()) {
    const read = normalisers.get('domain')?.normalise(domain, {});
    if (read?.ok !== true)
      report(['text_domains', index], `\`${domain}\` is no domain: write it like example.com`);
  }
}
