import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../server/prepare.ts';
import { StoreError } from '../stores/store.ts';
import { UsageError } from './command.ts';
import { describeError } from './describe-error.ts';

describe('describeError', () => {
  it('tells usage and configuration apart from the environment and from failures', () => {
    const problems = ['one', 'two'].map((message) => ({ file: 'a.toml', line: 3, message }));
    expect(describeError(new UsageError('--config is missing'))).toEqual({
      exitCode: 2,
      line: '--config is missing',
    });
    expect(describeError(new ConfigError(problems))).toEqual({
      exitCode: 2,
      line: 'a.toml:3: one\na.toml:3: two',
    });
    expect(describeError(new StoreError('STORE_NEWER', 'update'))).toEqual({
      exitCode: 3,
      line: 'update',
    });
    expect(describeError(new StoreError('GUARD_MISSING', 'put it back'))).toMatchObject({
      exitCode: 3,
    });
    expect(describeError(new Error('broken\nat some place'))).toEqual({
      exitCode: 1,
      line: 'broken',
    });
    expect(describeError('a text')).toEqual({ exitCode: 1, line: 'a text' });
  });

  it('calls every failed call of the system environment', () => {
    let failure: unknown;
    try {
      readFileSync('/no/such/file');
    } catch (error) {
      failure = error;
    }
    expect(describeError(failure)).toMatchObject({ exitCode: 3 });
  });
});
