import { describe, expect, it } from 'vitest';
import { type CookieScope, formatCookie, readCookie } from './cookies.ts';

const scope: CookieScope = { instance: 'k3', isSecure: false };
const read = (cookie: string) => readCookie(scope, { headers: { cookie } }, 'flow');

describe('cookies', () => {
  it('are out of reach of scripts, and bound to the host under HTTPS', () => {
    const cookie = { kind: 'flow', value: 'v', maxAgeSeconds: 60, sameSite: 'Strict' } as const;
    expect(formatCookie(scope, cookie)).toBe(
      'intentplane-flow-k3=v; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
    );
    const secure = { ...scope, isSecure: true };
    expect(formatCookie(secure, { ...cookie, sameSite: 'Lax' })).toBe(
      '__Host-intentplane-flow-k3=v; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
  });

  it('are read by their whole name, once', () => {
    expect(read('a=b; intentplane-flow-k3=v=1; c=d')).toBe('v=1');
    for (const header of [
      '',
      'intentplane-flow-k4=v',
      'intentplane-flow-k3',
      'xintentplane-flow-k3=v',
      'intentplane-flow-k3=v; intentplane-flow-k3=w',
    ]) {
      expect(read(header), header).toBeUndefined();
    }
    expect(readCookie(scope, { headers: {} }, 'flow')).toBeUndefined();
  });
});
