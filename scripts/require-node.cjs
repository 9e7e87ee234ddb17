// Plain JavaScript that any Node can read: says what is wrong before anything else can fail.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `intentplane needs Node >= 22.19, this is ${process.versions.node} (${process.execPath}).\n` +
      'Run `npm ci` with install scripts allowed: it installs the pinned Node for npm scripts.\n' +
      'Outside npm scripts, put node_modules/.bin first in PATH.',
  );
  process.exit(1);
}
