// The floor: `node:sqlite` without a flag, and the language of this package.

/** Ends the process with a readable line when Node is older than 22.19. */
export function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  process.stderr.write(
    `intentplane needs Node >= 22.19 and this is ${process.versions.node}: install a newer Node\n`,
  );
  process.exit(3);
}
