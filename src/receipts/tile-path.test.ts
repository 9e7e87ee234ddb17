import { describe, expect, it } from 'vitest';
import { tilePath, tilesOf } from './tile-path.ts';

describe('tilePath', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 1, index: 67, width: 1 }, 'tile/1/067.p/1'],
    [{ level: 'entries', index: 999, width: 255 }, 'tile/entries/999.p/255'],
    [{ level: 0, index: 1_000, width: 256 }, 'tile/0/x001/000'],
    [{ level: 2, index: 1_234_067, width: 256 }, 'tile/2/x001/x234/067'],
  ] as const)('%j is %s', (name, path) => {
    expect(tilePath(name)).toBe(path);
  });
});

describe('tilesOf', () => {
  /** Full tiles and width of the partial one, by level. */
  const shape = (size: number): string[] => {
    const tilesOfSize = tilesOf(size);
    const levels = [...new Set(tilesOfSize.map(({ level }) => level))];
    return levels.map((level) => {
      const tiles = tilesOfSize.filter((tile) => tile.level === level);
      const full = tiles.filter(({ width }) => width === 256).length;
      const partial = tiles.find(({ width }) => width < 256)?.width ?? 0;
      return `${level}: ${full} full, ${partial}`;
    });
  };

  it('are those of the specification', () => {
    expect(shape(70_000)).toEqual(['0: 273 full, 112', '1: 1 full, 17', '2: 0 full, 1']);
    expect(shape(256)).toEqual(['0: 1 full, 0', '1: 0 full, 1']);
    expect(shape(255)).toEqual(['0: 0 full, 255']);
    expect(shape(0)).toEqual([]);
  });
});
