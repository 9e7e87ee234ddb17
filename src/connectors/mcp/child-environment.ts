// Which environment variables a server gets: a fixed list that programs need to run at all, and
// what the configuration names. Never a secret of ours or of another server.

const always: ReadonlySet<string> = new Set([
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'LANG',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
]);

// Windows programs do not start without these.
const onWindows: ReadonlySet<string> = new Set([
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]);

export interface EnvironmentSources {
  /** The environment of this process. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** `env` of the server's configuration. */
  readonly server: Readonly<Record<string, string>>;
  /** `inherit_env`: names that are handed down as they are. */
  readonly inherit: readonly string[];
}

/** The complete environment of one server. */
export function childEnvironment(
  { parent, server, inherit }: EnvironmentSources,
  platform: NodeJS.Platform,
): Record<string, string> {
  const isWindows = platform === 'win32';
  const fold = (name: string): string => (isWindows ? name.toUpperCase() : name);
  const wanted = new Set(inherit.map(fold));
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined) continue;
    const folded = fold(name);
    const isListed = isAlways(name) || (isWindows && onWindows.has(folded));
    if (isListed || wanted.has(folded)) env[name] = value;
  }
  // An exported shell function is code that a shell below would run.
  for (const [name, value] of Object.entries(env)) if (value.startsWith('()')) delete env[name];
  return { ...env, ...server };
}

// Proxy variables are read in both spellings; the others are exact.
function isAlways(name: string): boolean {
  const upper = name.toUpperCase();
  if (upper.endsWith('_PROXY')) return always.has(upper);
  return always.has(name) || name.startsWith('LC_') || (name === 'Path' && always.has('PATH'));
}
