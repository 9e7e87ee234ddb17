import { describe, expect, it } from 'vitest';
import { stateFolder } from './state-folder.ts';

const at = (platform: string, variables: Readonly<Record<string, string>> = {}): string =>
  stateFolder({ platform, variables, home: '/home/maya' });

describe('stateFolder', () => {
  it('is where the platform keeps the state of programs', () => {
    expect(at('linux')).toBe('/home/maya/.local/state/intentplane');
    expect(at('linux', { XDG_STATE_HOME: '/state' })).toBe('/state/intentplane');
    expect(at('darwin')).toBe('/home/maya/Library/Application Support/intentplane');
    expect(at('win32')).toBe('/home/maya/AppData/Local/intentplane');
    expect(at('win32', { LOCALAPPDATA: '/local' })).toBe('/local/intentplane');
  });
});
