import { describe, expect, it } from 'vitest';
import { pathText } from './key-path.ts';

describe('pathText', () => {
  it('is the path as people write it, with the quotes that TOML needs', () => {
    expect(pathText(['tools', 2, 'params', 'amount', 'scale'])).toBe(
      'tools[2].params.amount.scale',
    );
    expect(pathText(['registries', 'my.vendors', 'file'])).toBe('registries."my.vendors".file');
    expect(pathText(['a b'])).toBe('"a b"');
    expect(pathText([])).toBe('');
  });
});
