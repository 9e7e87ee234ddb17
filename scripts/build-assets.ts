// Completes dist after the compiler: files that are loaded at run time, and the bins' mode.
import { chmodSync, cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const assetPattern = /\.(?:sql|cedar|cedarschema|json|html|css|js|svg|toml|csv)$/;
const source = fileURLToPath(new URL('../src', import.meta.url));
const target = fileURLToPath(new URL('../dist', import.meta.url));

for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
  if (assetPattern.test(path)) cpSync(join(source, path), join(target, path));
}
for (const bin of ['main.js', 'mcp.js']) chmodSync(join(target, 'cli', bin), 0o755);
