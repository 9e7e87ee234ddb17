import { describe, expect, it } from 'vitest';
import { base, configOf, problemsOf } from '../../test/fixtures/config-file.ts';
import { verifies } from '../../test/requirements/verifies.ts';

const text = (url: string): string => `${base}[approvals]\npage_url = '${url}'\n`;

describe('[approvals] page_url', () => {
  it('is an origin', () => {
    const pageUrl = (url: string): unknown => configOf(text(url)).approvals.pageUrl;
    expect(pageUrl('https://approve.example.com')).toBe('https://approve.example.com');
    expect(pageUrl('https://Approve.Example.com:8443/')).toBe('https://approve.example.com:8443');
    expect(pageUrl('https://approve.example.com:443')).toBe('https://approve.example.com');
    expect(pageUrl('http://localhost:9000')).toBe('http://localhost:9000');
  });

  verifies('CFG-23', 'has a host and nothing else', () => {
    for (const url of [
      '',
      'approve.example.com',
      'ftp://approve.example.com',
      'https:approve.example.com',
      'https://',
      'https://approve.example.com/page',
      'https://approve.example.com/?',
      'https://approve.example.com#x',
      'https://kim:secret@approve.example.com',
      'https://approve.example.com\\page',
      'https://approve example.com',
      'https://approve.example.com:99999',
    ]) {
      expect(problemsOf(text(url)), url).toEqual([
        '7 approvals.page_url: must be https://<host> or https://<host>:<port>, without user, path, ? and #',
      ]);
    }
  });

  verifies('CFG-23', 'is encrypted, except on this computer', () => {
    for (const url of ['http://approve.example.com', 'http://localhost.example.com']) {
      expect(problemsOf(text(url)), url).toEqual([
        '7 approvals.page_url: must be https://, or anybody on the way could change what people see: put a TLS proxy in front; http:// is for localhost',
      ]);
    }
  });

  verifies('CFG-23', 'has a name, which passkeys belong to', () => {
    for (const url of [
      'https://203.0.113.5',
      'https://[2001:db8::1]',
      'http://127.0.0.1:8765',
      'https://0x7f.1',
      'https://approve.example.com.',
    ]) {
      expect(problemsOf(text(url)), url).toEqual([
        '7 approvals.page_url: must name a host such as https://approve.example.com: passkeys belong to a name, never to an address',
      ]);
    }
  });
});
