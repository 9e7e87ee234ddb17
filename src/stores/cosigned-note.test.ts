import { describe, expect, it } from 'vitest';
import { addLines } from './cosigned-note.ts';

const line = (name: string, bytes: string): string =>
  `— ${name} ${Buffer.from(bytes, 'latin1').toString('base64')}\n`;
const note = `log\n1\nroot\n\n${line('log', 'keyAfirst')}`;

describe('addLines', () => {
  it('adds each key once, whatever it signed', () => {
    const one = addLines(note, line('w', 'keyBone'));
    expect(one).toBe(note + line('w', 'keyBone'));
    expect(addLines(one, line('w', 'keyBtwo') + line('w', 'keyCtwo'))).toBe(
      one + line('w', 'keyCtwo'),
    );
    expect(addLines(note, line('log', 'keyAother'))).toBe(note);
    expect(addLines(note, '')).toBe(note);
  });

  it('keeps a bound on the lines of a note', () => {
    const many = Array.from({ length: 100 }, (_unused, i) => line(`w${i}`, 'keyX')).join('');
    expect(addLines(note, many).split('\n— ')).toHaveLength(1 + 64);
  });

  it('tells lines apart that are no base64', () => {
    expect(addLines(note, '— w !\n— w ?\n')).toBe(`${note}— w !\n— w ?\n`);
  });
});
