#!/usr/bin/env node
// Entry of `intentplane-mcp`, the same as `intentplane mcp run`.
import { requireNode } from './require-node.ts';

requireNode();
const { keepCompiledCode } = await import('./compile-cache.ts');
keepCompiledCode();
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine('intentplane-mcp', process.argv.slice(2));
