// The import table of ARCHITECTURE.md as rules: which part of src/ may import which.

const families = 'stores|policy|keys|packs|connectors|approvals/channels';
const contracts = '(?:stores|policy|keys|packs|connectors)/[^/]+[.]ts$|approvals/channel[.]ts$';
const adapters = `(?:${families})/[^/]+/`;
const services = ['receipts/', 'mandates/', 'approvals/', 'gateway/'];
const faces = '(?:proxy|http)/';
const corePackages = 'zod|ibantools|tldts|libphonenumber-js|linkify-it|email-addresses|re2js';

// name of the row, its files, what it may import besides its own folder
const table = [
  ['core', 'core/', []],
  ['config', 'config/', ['core/']],
  ['contracts', contracts, ['core/', contracts]],
  ['adapters', adapters, ['core/', contracts]],
  ['receipts', 'receipts/', ['core/', contracts]],
  ['mandates, approvals', '(?:mandates|approvals)/', ['core/', contracts, 'receipts/']],
  ['gateway', 'gateway/', ['core/', contracts, 'receipts/', 'mandates/', 'approvals/']],
  ['proxy, http', faces, ['core/', contracts, ...services, 'config/']],
  ['server', 'server/', ['core/', contracts, adapters, ...services, faces, 'config/']],
  ['cli', 'cli/', ['core/', contracts, ...services, 'config/', 'server/']],
  ['testing', 'testing/', ['core/', contracts, ...services, 'stores/memory/']],
];

const notTest = '[.]test[.]ts$';
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

// $1 is the matched folder: each part may always import itself.
const rows = table.map(([name, part, allowed]) =>
  rule(
    `import table: ${name}`,
    { path: `^src/(${part})`, pathNot: notTest },
    { path: '^src/', pathNot: ['$1', ...allowed].map((each) => `^src/(?:${each})`) },
  ),
);

module.exports = {
  forbidden: [
    ...rows,
    rule(
      'core: listed packages, no Node module',
      { path: '^src/core/', pathNot: [notTest, '^src/core/sha256[.]ts$'] },
      { pathNot: `^src/|node_modules/(?:${corePackages})/` },
    ),
    rule(
      'core: sha256.ts adds node:crypto only',
      { path: '^src/core/sha256[.]ts$' },
      { pathNot: `^src/|^(?:node:)?crypto$|node_modules/(?:${corePackages})/` },
    ),
    rule(
      'only compose.ts picks adapters',
      {
        path: '^src/(?:server|approvals)/',
        pathNot: [notTest, '^src/server/compose[.]ts$', `^src/(?:${adapters})`],
      },
      { path: `^src/(?:${adapters})` },
    ),
    rule(
      'no test code in shipped code',
      { path: '^src/', pathNot: notTest },
      { path: `${notTest}|^test/` },
    ),
    rule('no cycles', {}, { circular: true }),
    rule('no unresolved imports', {}, { couldNotResolve: true }),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    // Packages name their entries in `exports`; without this a path inside one is not found.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require'] },
    doNotFollow: { path: 'node_modules' },
  },
};
