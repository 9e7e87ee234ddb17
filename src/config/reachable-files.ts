// A server that is started on a folder with the product's own files could let an agent change them.
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Config } from './config.ts';
import type { FileShape } from './file-shape.ts';

export function reachableFiles(
  config: Omit<Config, 'warnings'>,
  shape: FileShape,
): readonly string[] {
  const own = ownFiles(config).map(realPath);
  return config.servers.flatMap((server, index) => {
    const folders = [...server.args.map(pathInside), ...givenFolders(shape, index)]
      .map((path) => realFolder(resolve(server.cwd, path)))
      .filter((folder) => folder !== undefined);
    const reached = own.find((file) => folders.some((folder) => isInside(folder, file)));
    return reached === undefined
      ? []
      : [
          `the server \`${server.name}\` is started on a folder that holds \`${reached}\`: an agent could change what protects you; keep these files elsewhere`,
        ];
  });
}

const ownFiles = ({
  approvals,
  file,
  gateway,
  keys,
  policies,
  registries,
}: Omit<Config, 'warnings'>): readonly string[] => [
  file,
  gateway.data,
  ...(isAbsolute(gateway.store) ? [gateway.store] : []),
  keys.log,
  ...policies.map((policy) => policy.name),
  ...registries.map((registry) => registry.file),
  ...(approvals.channel === undefined ? [] : [approvals.channel.file]),
];

/** The default is the folder of the file, which every server then is started on: only a chosen one counts. */
function givenFolders({ servers }: FileShape, index: number): readonly string[] {
  const cwd = servers[index]?.cwd;
  return cwd === undefined ? [] : [cwd];
}

/** `--root=/srv/files` names a folder as `/srv/files` does. */
const pathInside = (argument: string): string => argument.replace(/^-[^=]*=?/, '') || '\0';

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Through links, also for a file that does not exist yet. */
function realPath(file: string): string {
  const folder = realFolder(dirname(file));
  return folder === undefined ? file : join(folder, basename(file));
}

function isInside(folder: string, file: string): boolean {
  const path = relative(folder, file);
  return !(path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path));
}
