import { describe, expect, it } from 'vitest';
import { runProgram } from '../../test/fixtures/product/world.ts';

const logUrl = new URL('./log.ts', import.meta.url).href;

/** The log writes to the real stderr, so it runs in a process of its own. */
async function logged(settings: object, calls: string): Promise<string> {
  const script = `import { createLog } from '${logUrl}';
const log = createLog(${JSON.stringify(settings)}, () => 0);
${calls}`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout, stderr } = await runProgram(process.execPath, args);
  expect(stdout).toBe('');
  return stderr;
}

describe('createLog', () => {
  it('writes words, one line each, and nothing below its level', async () => {
    const text = await logged(
      { level: 'info', format: 'pretty' },
      "log('debug', 'no'); log('info', 'two\\nlines', { a: 1, b: undefined }); log('error', 'bad');",
    );
    expect(text).toBe('intentplane: two | lines a=1\nintentplane: error: bad\n');
  });

  it('writes JSON for machines, and nothing at all when silent', async () => {
    const text = await logged({ level: 'debug', format: 'json' }, "log('warn', 'odd', { a: 1 });");
    expect(JSON.parse(text)).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      message: 'odd',
      a: 1,
    });
    expect(await logged({ level: 'silent', format: 'json' }, "log('error', 'x');")).toBe('');
  });
});
