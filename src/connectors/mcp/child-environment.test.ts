import { describe, expect, it } from 'vitest';
import { verifies } from '../../../test/requirements/verifies.ts';
import { childEnvironment } from './child-environment.ts';

describe('childEnvironment', () => {
  verifies(['MCP-H2'], 'hands down the listed names, what is inherited and what is set', () => {
    const parent = {
      HOME: '/h',
      PATH: '/bin',
      LANG: 'C',
      LC_ALL: 'C',
      LCX: 'no',
      TZ: 'UTC',
      TMPDIR: '/t',
      https_proxy: 'http://p',
      NO_PROXY: 'x',
      NODE_EXTRA_CA_CERTS: '/ca',
      NODE_OPTIONS: '--inspect',
      GATEWAY_SECRET: 'secret',
      WANTED: 'w',
      SHELL: '() { :; }',
      USER: undefined,
    };
    expect(
      childEnvironment({ parent, server: { PATH: '/own', A: 'b' }, inherit: ['WANTED'] }, 'linux'),
    ).toEqual({
      HOME: '/h',
      PATH: '/own',
      LANG: 'C',
      LC_ALL: 'C',
      TZ: 'UTC',
      TMPDIR: '/t',
      https_proxy: 'http://p',
      NO_PROXY: 'x',
      NODE_EXTRA_CA_CERTS: '/ca',
      WANTED: 'w',
      A: 'b',
    });
  });

  it('knows what programs on Windows need, in any spelling', () => {
    const parent = { Path: 'C:\\', SystemRoot: 'C:\\W', appdata: 'a', wanted: 'w', Secret: 's' };
    expect(childEnvironment({ parent, server: {}, inherit: ['WANTED'] }, 'win32')).toEqual({
      Path: 'C:\\',
      SystemRoot: 'C:\\W',
      appdata: 'a',
      wanted: 'w',
    });
    const linux = childEnvironment({ parent, server: {}, inherit: [] }, 'linux');
    expect(linux['SystemRoot']).toBeUndefined();
  });
});
