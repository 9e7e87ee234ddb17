// How long values are kept: the rules of the file, none of them below the floor.
import { leafTypes } from '../core/leaf-format.ts';
import { type RetentionRule, retentionFloorMs } from '../core/retention.ts';
import { type BuildContext, reporter } from './build-context.ts';
import type { FileShape } from './file-shape.ts';

export function buildRetention(
  { log }: FileShape,
  context: BuildContext,
): readonly RetentionRule[] {
  return (log?.retention ?? []).map(({ action = '*', types = [], keep }, index) => {
    const report = reporter(context, ['log', 'retention', index]);
    if (keep < retentionFloorMs) {
      report(['keep'], 'must be at least 184d: receipts are kept for six months or longer');
    }
    if (!/^[^*]*\*?$/.test(action) || action === '') {
      report(
        ['action'],
        'must be the name of an action, or its beginning and `*`, e.g. `payment.*`',
      );
    }
    const stray = types.find((type) => !Object.hasOwn(leafTypes, type));
    if (stray !== undefined) {
      report(['types'], `names no type of receipt: \`${stray.slice(0, 60)}\``);
    }
    return { action, types, keepMs: keep };
  });
}
