import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { base, folderWith, loadText, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';
import { loadConfig } from './load-config.ts';

const text = (channel: string): string => `${base}[approvals]\nchannel = '${channel}'\n`;
const files = { 'pager.mjs': 'export const pager = () => {};', 'lib/pager.js': '' };

describe('[approvals] channel', () => {
  it('is a module beside the file and what it exports', () => {
    const channel = (value: string): unknown => {
      const { config, folder } = loadText(text(value), { files });
      const found = config?.approvals.channel;
      return found && { ...found, file: found.file.replace(folder, '~') };
    };
    expect(channel('./pager.mjs:pager')).toEqual({ file: '~/pager.mjs', factory: 'pager' });
    expect(channel('lib/pager.js:$make')).toEqual({ file: '~/lib/pager.js', factory: '$make' });
  });

  verifies('CFG-23', 'says what to do with a module of the Python packages', () => {
    for (const channel of ['pager:channel', 'company.pager:make_channel']) {
      expect(problemsOf(text(channel)), channel).toEqual([
        '7 approvals.channel: is a Python module, which cannot run here: write the channel in JavaScript and name it ./file.mjs:factory, or use [approvals] notify',
      ]);
    }
  });

  verifies('CFG-23', 'refuses what names no module or no function', () => {
    for (const channel of ['', './pager.mjs', './pager.py:pager', './pager.mjs:', ':x', 'a:b:c']) {
      expect(problemsOf(text(channel), { files }), channel).toEqual([
        '7 approvals.channel: must be ./file.mjs:factory: a JavaScript module and the function that it exports',
      ]);
    }
    expect(problemsOf(text('./none.mjs:pager'))).toEqual([
      '7 approvals.channel: the module `~/none.mjs` does not exist: create it, or correct the path',
    ]);
  });

  it.skipIf(process.platform === 'win32')('refuses code that everybody can write', () => {
    const folder = folderWith({
      ...files,
      'policy.cedar': '',
      'gateway.toml': text('./pager.mjs:x'),
    });
    const file = join(folder, 'pager.mjs');
    chmodSync(file, 0o666);
    const environment = { variables: {}, platform: process.platform, home: folder };
    const loaded = loadConfig(join(folder, 'gateway.toml'), { environment });
    expect(loaded.ok ? [] : loaded.error.map(({ message }) => message)).toEqual([
      `the module \`${file}\` can be written by everybody: run \`chmod o-w\` on it`,
    ]);
  });
});
