// `[approvals] quorum`: who has to approve at level 2.
import type { Report } from './build-context.ts';
import type { QuorumConfig } from './config.ts';
import type { FileShape } from './file-shape.ts';

export function readQuorum({ approvals, people = [] }: FileShape, report: Report): QuorumConfig {
  const { count = 1, roles = [], exclude = [], include_user = false } = approvals?.quorum ?? {};
  if (roles.length > count) {
    report(
      ['quorum', 'roles'],
      `names ${roles.length} roles for ${count} of count: each role is one person`,
    );
  }
  const known = new Set(people.map(({ id }) => id));
  for (const [i, id] of exclude.entries()) {
    if (!known.has(id)) report(['quorum', 'exclude', i], `\`${id}\` is nobody in [[people]]`);
  }
  return { count, roles, exclude, includeUser: include_user };
}
