import { expect } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import { isEnd } from './typed-end.ts';

verifies('APR-23', 'the last four characters, spaces and the case of ASCII letters aside', () => {
  for (const [typed, canonical] of [
    ['3000', 'DE89370400440532013000'],
    ['30 00', 'DE89370400440532013000'],
    ['.COM', 'ann@example.com'],
    ['12', '12'],
    ['ßßßß', 'xßßßß'],
  ] as const) {
    expect(isEnd(typed, canonical), typed).toBe(true);
  }
  for (const [typed, canonical] of [
    ['', '12'],
    ['000', 'DE89370400440532013000'],
    ['13000', 'DE89370400440532013000'],
    ['SSSS', 'xßßßß'],
    ['K123', '\u212a123'],
  ] as const) {
    expect(isEnd(typed, canonical), typed).toBe(false);
  }
});
