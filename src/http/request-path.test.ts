import { describe, expect, it } from 'vitest';
import { requestPath } from './request-path.ts';

describe('requestPath', () => {
  it('decodes once and drops the query', () => {
    expect(requestPath('/')).toBe('/');
    expect(requestPath('/a/0f?x=%2f..')).toBe('/a/0f');
    expect(requestPath('/%61/0f#top')).toBe('/a/0f');
  });

  it('refuses whatever could mean two things', () => {
    for (const target of [
      '',
      'a',
      '*',
      'http://localhost:8765/a',
      '/a%2fb',
      '/a%2Fb',
      '/a%5cb',
      '/a\\b',
      '/a%00',
      '/%252e%252e/a',
      '/%25',
      '/..',
      '/a/../b',
      '/a/%2e%2e/b',
      '/./a',
      '/%',
      '/%zz',
      '/%c3%28',
      '/a b',
      '/ä',
      '/a%0d%0aX: y',
    ]) {
      expect(requestPath(target), target).toBeUndefined();
    }
  });
});
