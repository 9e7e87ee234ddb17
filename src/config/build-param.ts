// `[tools.params.NAME]`: one declared parameter.
import { isOneLineName } from '../core/checks/texts-inside.ts';
import type { ParamContract, PathStep } from '../core/contract.ts';
import type { Registries, Report } from './build-context.ts';
import { checkParam } from './check-param.ts';
import type { ParamShape, ToolShape } from './file-shape.ts';
import { given } from './given.ts';
import { readSource } from './read-source.ts';

interface ParamContext {
  readonly tool: ToolShape;
  readonly registries: Registries;
  readonly report: Report;
}

export function buildParam(name: string, shape: ParamShape, context: ParamContext): ParamContract {
  const { tool, report } = context;
  checkParam(name, shape, report);
  const critical = shape.critical ?? false;
  const path = readPath(shape.path ?? name, context, shape.path !== undefined);
  return {
    name,
    path,
    type: shape.type ?? 'string',
    critical,
    sources: (shape.sources ?? []).flatMap(
      (source, index) => readSource(source, index, context) ?? [],
    ),
    each: shape.each ?? false,
    settings: given({ currency: shape.currency, zone: shape.zone }),
    scale: shape.scale ?? 1,
    optional: shape.optional ?? false,
    multiline: shape.multiline ?? !(critical || isOneLine(name, path)),
    text: shape.text ?? tool.text ?? 'entities',
    onUnknown: shape.on_unknown ?? tool.on_unknown ?? 'ask',
    textAllow: shape.text_allow ?? [],
    textSources: readTextSources(shape, context),
    textDomains: shape.text_domains ?? [],
    textTemplates: shape.text_templates ?? [],
    ...given({
      normalize: shape.normalize,
      oneOf: shape.enum,
      pattern: shape.pattern,
      min: shape.min,
      max: shape.max,
      lengthMax: shape.max_length,
      itemsMin: shape.min_items,
      itemsMax: shape.max_items,
      record: shape.record,
      label: shape.label,
    }),
  };
}

/** The name of the parameter, or of the argument that it stands for. */
function isOneLine(name: string, path: readonly PathStep[]): boolean {
  const keys = path.flatMap((step) => (step.kind === 'key' ? [step.key] : []));
  return isOneLineName(name) || isOneLineName(keys.at(-1) ?? '');
}

/** `to[].address`: keys by dots, `[]` for every element. A name that is no path is one key, dots and all. */
function readPath(text: string, { report }: ParamContext, isPath: boolean): readonly PathStep[] {
  if (!isPath) return [{ kind: 'key', key: text }];
  return text.split('.').flatMap((part): readonly PathStep[] => {
    const isEach = part.endsWith('[]');
    const key = isEach ? part.slice(0, -2) : part;
    if (key === '' || /[[\]]/.test(key)) {
      report(['path'], `\`${text}\` is no path: write keys with dots, such as to[].address`);
    }
    return isEach ? [{ kind: 'key', key }, { kind: 'each' }] : [{ kind: 'key', key }];
  });
}

/** Registries by their names; `registry:` in front of one is understood. */
function readTextSources(
  { text_sources: names = [] }: ParamShape,
  { registries, report }: ParamContext,
): readonly string[] {
  return names.map((text, index) => {
    const name = text.replace(/^registry:/, '');
    if (!registries.has(name)) {
      report(['text_sources', index], `\`${text}\` names no registry: add [registries.${name}]`);
    }
    return name;
  });
}
