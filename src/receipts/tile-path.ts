// Paths of c2sp.org/tlog-tiles: a log as a folder that any static server can serve.

/** Hashes of a full tile, and leaves of a full entry bundle. */
export const tileWidth = 256;

/** One file of the folder. */
export interface TileName {
  /** Level of a tile: hashes of leaves are 0. */
  readonly level: number | 'entries';
  readonly index: number;
  /** 1 to 256; below that the tile is partial. */
  readonly width: number;
}

/** `tile/<L>/<N>` or `tile/<L>/<N>.p/<W>`, the index in groups of three digits: `x001/x234/067`. */
export function tilePath({ level, index, width }: TileName): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/.{3}/g) as string[];
  const path = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${path}${width < tileWidth ? `.p/${width}` : ''}`;
}

/** Every tile of a tree of `size`, level by level; entry bundles are those of level 0. */
export function tilesOf(size: number): readonly TileName[] {
  const tiles: TileName[] = [];
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    for (let index = 0; index * tileWidth < count; index += 1) {
      tiles.push({ level, index, width: Math.min(tileWidth, count - index * tileWidth) });
    }
  }
  return tiles;
}
