// `[approvals] quorum`: how many people of which roles have to approve at level 2.
import type { Report } from './build-context.ts';
import type { PersonConfig, QuorumConfig } from './config.ts';
import type { QuorumShape } from './file-shape.ts';
import { hint } from './nearest-key.ts';

interface Surroundings {
  readonly people: readonly PersonConfig[];
  readonly principal: string;
  readonly report: Report;
}

export function readQuorum(
  quorum: QuorumShape,
  { people, principal, report }: Surroundings,
): QuorumConfig {
  const {
    count = 1,
    roles = ['approver'],
    exclude = [],
    include_user: includeUser = false,
  } = quorum;
  if (roles.length > count) {
    report(
      ['quorum', 'roles'],
      `names ${roles.length} roles and \`count\` is ${count}: each needs a person of its own, set count = ${roles.length}`,
    );
  }
  const known = [...people.map(({ id }) => id), principal];
  for (const [index, id] of exclude.entries()) {
    const path = ['quorum', 'exclude', index];
    if (!known.includes(id)) {
      report(path, `\`${id}\` is nobody: add [[people]] with this id${hint(id, known)}`);
    } else if (includeUser && id === principal) {
      report(path, `\`${id}\` is the principal, whose approval \`include_user\` needs: remove one`);
    }
  }
  return { count, roles, exclude, includeUser };
}
