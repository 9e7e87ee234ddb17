import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cosignedMessage, formatCosignature, parseCosignature } from './cosignature.ts';

const text = `example.com/behind-the-sofa\n20852163\n${'A'.repeat(43)}=\n`;

describe('cosignedMessage', () => {
  it('is two lines and the note for Ed25519', () => {
    const key = { name: 'witness.example/w1', type: 0x04 };
    const message = cosignedMessage({ key, timeS: 1_679_315_147, text });
    expect(Buffer.from(message ?? []).toString()).toBe(`cosignature/v1\ntime 1679315147\n${text}`);
    // Ed25519 covers any note; that it is a checkpoint is the business of others.
    expect(cosignedMessage({ key, timeS: 1, text: 'x\n' })).toHaveLength(24);
  });

  it('is the structure of a subtree from the first leaf on for ML-DSA-44', () => {
    const key = { name: 'w1', type: 0x06 };
    const message = Buffer.from(cosignedMessage({ key, timeS: 258, text }) ?? []);
    const origin = 'example.com/behind-the-sofa';
    const expected = Buffer.concat([
      Buffer.from('subtree/v1\n\0\x02w1', 'latin1'),
      Buffer.from('0000000000000102', 'hex'),
      Buffer.from([origin.length]),
      Buffer.from(origin),
      Buffer.from('0000000000000000', 'hex'),
      Buffer.from(20_852_163n.toString(16).padStart(16, '0'), 'hex'),
      Buffer.alloc(32),
    ]);
    expect(message.toString('hex')).toBe(expected.toString('hex'));
    expect(createHash('sha256').update(message).digest('hex')).toHaveLength(64);
  });

  it('is nothing for ML-DSA-44 over what is no checkpoint or has too long a name', () => {
    const key = { name: 'w1', type: 0x06 };
    expect(cosignedMessage({ key, timeS: 1, text: 'x\n' })).toBeUndefined();
    const long = `${'o'.repeat(256)}\n1\n${'A'.repeat(43)}=\n`;
    expect(cosignedMessage({ key, timeS: 1, text: long })).toBeUndefined();
    expect(cosignedMessage({ key, timeS: 1, text: long.slice(1) })).toBeDefined();
  });
});

describe('parseCosignature', () => {
  it('reads back time and signature', () => {
    const signature = Uint8Array.of(1, 2, 3);
    for (const timeS of [1, 255, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(parseCosignature(formatCosignature({ timeS, signature }))).toEqual({
        timeS,
        signature,
      });
    }
  });

  it('refuses no time, a time beyond what a number holds, and no signature', () => {
    const signature = Uint8Array.of(1);
    expect(parseCosignature(formatCosignature({ timeS: 0, signature }))).toBeUndefined();
    expect(parseCosignature(new Uint8Array(9).fill(255))).toBeUndefined();
    expect(parseCosignature(new Uint8Array(8).fill(1))).toBeUndefined();
    expect(parseCosignature(new Uint8Array(0))).toBeUndefined();
  });
});
