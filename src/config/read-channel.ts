// `[approvals] channel`: a module of the operator's own that tells people and brings their answers.
import { resolve } from 'node:path';
import type { BuildContext, Report } from './build-context.ts';
import type { ApprovalsConfig } from './config.ts';
import { readTextFile } from './read-text-file.ts';

const form = /^(.+\.m?js):([A-Za-z_$][\w$]*)$/;
const pythonForm = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*$/;

/** It is code of the gateway's own process: a file that everybody can write is refused like the configuration. */
export function readChannel(
  text: string | undefined,
  context: BuildContext,
  report: Report,
): ApprovalsConfig['channel'] {
  if (text === undefined) return undefined;
  const [, path, factory] = form.exec(text) ?? [];
  if (path === undefined || factory === undefined) {
    report(
      ['channel'],
      pythonForm.test(text)
        ? 'is a Python module, which cannot run here: write the channel in JavaScript and name it ./file.mjs:factory, or use [approvals] notify'
        : 'must be ./file.mjs:factory: a JavaScript module and the function that it exports',
    );
    return undefined;
  }
  const file = resolve(context.folder, path);
  const read = readTextFile(file, context.environment.platform);
  if (!read.ok) report(['channel'], `the module \`${file}\` ${read.error}`);
  return { file, factory };
}
