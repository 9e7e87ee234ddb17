#!/usr/bin/env node
// Entry of `intentplane`. Old Node versions must be told, not crash: nothing is imported before the check.
import { requireNode } from './require-node.ts';

requireNode();
const { keepCompiledCode } = await import('./compile-cache.ts');
keepCompiledCode();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine('intentplane', process.argv.slice(2));
