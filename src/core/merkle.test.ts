import { describe, expect, it } from 'vitest';
import { verifies } from '../../test/requirements/verifies.ts';
import {
  appendLeafHash,
  type CompleteNode,
  consistencyPath,
  decodeFrontier,
  emptyFrontier,
  encodeFrontier,
  type Frontier,
  frontierAt,
  frontierRoot,
  inclusionPath,
  isConsistent,
  isSameHash,
  isTileNode,
  leafHash,
  nodeHash,
  rootFromInclusion,
  tileNodeReader,
} from './merkle.ts';
import { sha256 } from './sha256.ts';

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');
const isSame = (left: Uint8Array, right: Uint8Array | undefined): boolean =>
  right !== undefined && Buffer.compare(left, right) === 0;
const flip = (hash: Uint8Array): Uint8Array => hash.map((byte, i) => (i === 7 ? byte ^ 1 : byte));

/** The leaves of the test vectors that implementations of RFC 6962 share. */
const vectorLeaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => leafHash(Buffer.from(text, 'hex')));

const vectorRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

class TestTree {
  frontier: Frontier = emptyFrontier;
  readonly nodes = new Map<string, Uint8Array>();
  readonly completed: CompleteNode[] = [];

  append(hash: Uint8Array): void {
    const next = appendLeafHash(this.frontier, hash);
    this.frontier = next.frontier;
    for (const node of next.completed) {
      expect(this.nodes.has(`${node.level}/${node.index}`)).toBe(false);
      this.nodes.set(`${node.level}/${node.index}`, node.hash);
      this.completed.push(node);
    }
  }

  readonly readNode = (level: number, index: number): Uint8Array => {
    const node = this.nodes.get(`${level}/${index}`);
    if (node === undefined) throw new Error(`no node ${index} at level ${level}`);
    return node;
  };
}

function growTree(leaves: readonly Uint8Array[]): TestTree {
  const tree = new TestTree();
  for (const leaf of leaves) tree.append(leaf);
  return tree;
}

/** RFC 6962 section 2.1 as it is written, over ranges, with every root kept. */
class NaiveTree {
  readonly #leaves: readonly Uint8Array[];
  readonly #roots = new Map<number, Uint8Array>();

  constructor(leaves: readonly Uint8Array[]) {
    this.#leaves = leaves;
  }

  root(start: number, end: number): Uint8Array {
    const key = start * 1000 + end;
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const root = this.#compute(start, end);
    this.#roots.set(key, root);
    return root;
  }

  #compute(start: number, end: number): Uint8Array {
    if (end === start) return sha256('');
    if (end - start === 1) return this.#leaves[start] as Uint8Array;
    const k = split(end - start);
    return nodeHash(this.root(start, start + k), this.root(start + k, end));
  }

  path(m: number, start: number, end: number): Uint8Array[] {
    if (end - start === 1) return [];
    const k = split(end - start);
    return m < k
      ? [...this.path(m, start, start + k), this.root(start + k, end)]
      : [...this.path(m - k, start + k, end), this.root(start, start + k)];
  }

  proof(m: number, n: number): Uint8Array[] {
    return this.#subproof(m, [0, n], true);
  }

  #subproof(m: number, [start, end]: readonly [number, number], isWhole: boolean): Uint8Array[] {
    if (m === end - start) return isWhole ? [] : [this.root(start, end)];
    const k = split(end - start);
    return m <= k
      ? [...this.#subproof(m, [start, start + k], isWhole), this.root(start + k, end)]
      : [...this.#subproof(m - k, [start + k, end], false), this.root(start, start + k)];
  }
}

function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

const sizeMax = 300;
/** 45,000 proofs each; slow only under coverage. */
const exhaustiveTimeoutMs = 60_000;
const leaves = Array.from({ length: sizeMax }, (_, i) => leafHash(`leaf ${i}`));
const naive = new NaiveTree(leaves);
const full = growTree(leaves);

describe('leafHash and nodeHash', () => {
  it('hash bytes and text alike', () => {
    expect(leafHash('é')).toEqual(leafHash(new TextEncoder().encode('é')));
    expect(hex(leafHash(''))).toBe(vectorRoots[1]);
  });

  it('compare hashes by content', () => {
    const hash = leafHash('a');
    expect(isSameHash(hash, Uint8Array.from(hash))).toBe(true);
    expect(isSameHash(hash, flip(hash))).toBe(false);
    expect(isSameHash(hash, hash.subarray(1))).toBe(false);
  });
});

describe('appendLeafHash', () => {
  it('gives the roots of the shared RFC 6962 vectors', () => {
    const tree = new TestTree();
    expect(hex(frontierRoot(tree.frontier))).toBe(vectorRoots[0]);
    for (const [i, leaf] of vectorLeaves.entries()) {
      tree.append(leaf);
      expect(hex(frontierRoot(tree.frontier))).toBe(vectorRoots[i + 1]);
    }
  });

  it('agrees with the naive tree at every size and names each complete node once', () => {
    const tree = new TestTree();
    for (const leaf of leaves) {
      tree.append(leaf);
      const { size, nodes } = tree.frontier;
      expect(frontierRoot(tree.frontier)).toEqual(naive.root(0, size));
      expect(nodes).toHaveLength([...size.toString(2)].filter((bit) => bit === '1').length);
    }
    // Every leaf but a path to the frontier is the right end of one more complete node.
    expect(tree.nodes.size).toBe(2 * sizeMax - tree.frontier.nodes.length);
  });

  it('leaves the earlier frontier as it was', () => {
    const before = growTree(leaves.slice(0, 3)).frontier;
    const root = frontierRoot(before);
    appendLeafHash(before, leaves[3] as Uint8Array);
    expect(before.size).toBe(3);
    expect(frontierRoot(before)).toEqual(root);
  });
});

describe('stored frontier', () => {
  it('survives its row at every size', () => {
    for (let size = 0; size <= 70; size += 1) {
      const frontier = frontierAt(size, full.readNode);
      expect(decodeFrontier(size, encodeFrontier(frontier))).toEqual(frontier);
      expect(frontierRoot(frontier)).toEqual(naive.root(0, size));
    }
  });

  it('is refused when it cannot belong to the size', () => {
    const bytes = encodeFrontier(frontierAt(3, full.readNode));
    expect(decodeFrontier(2, bytes)).toBeUndefined();
    expect(decodeFrontier(3, bytes.subarray(1))).toBeUndefined();
  });
});

describe('proofs', () => {
  verifies(
    'RCP-08',
    'hold for every leaf of every tree up to 300, as RFC 6962 writes them',
    () => {
      for (let size = 1; size <= sizeMax; size += 1) {
        const root = naive.root(0, size);
        for (let index = 0; index < size; index += 1) {
          const path = inclusionPath(index, size, full.readNode);
          const leaf = leaves[index] as Uint8Array;
          const claimed = rootFromInclusion({ index, size, leafHash: leaf, path });
          if (!isSame(root, claimed)) expect.fail(`leaf ${index} of ${size}`);
          if (!isSamePath(path, naive.path(index, 0, size)))
            expect.fail(`path ${index} of ${size}`);
        }
      }
    },
    exhaustiveTimeoutMs,
  );

  verifies(
    'RCP-08',
    'of consistency hold for every pair of sizes up to 300',
    () => {
      for (let size = 1; size <= sizeMax; size += 1) {
        const root = naive.root(0, size);
        for (let oldSize = 1; oldSize <= size; oldSize += 1) {
          const path = consistencyPath(oldSize, size, full.readNode);
          const oldRoot = naive.root(0, oldSize);
          const proof = { oldSize, oldRoot, size, root, path };
          if (!isConsistent(proof)) expect.fail(`${oldSize} to ${size}`);
          if (!isSamePath(path, naive.proof(oldSize, size))) expect.fail(`path ${oldSize} ${size}`);
        }
      }
    },
    exhaustiveTimeoutMs,
  );

  it('fail when a hash is flipped, left out or added, or the index is another', () => {
    for (const [index, size] of [
      [0, 1],
      [2, 3],
      [5, 7],
      [255, 256],
      [256, 257],
    ] as const) {
      const path = inclusionPath(index, size, full.readNode);
      const proof = { index, size, leafHash: leaves[index] as Uint8Array, path };
      const root = hex(naive.root(0, size));
      expect(hex(rootFromInclusion({ ...proof, path: [...path, path[0] ?? sha256('')] }))).toBe('');
      expect(hex(rootFromInclusion({ ...proof, index: size }))).toBe('');
      expect(hex(rootFromInclusion({ ...proof, index: -1 }))).toBe('');
      if (size > 1) {
        expect(hex(rootFromInclusion({ ...proof, path: path.slice(1) }))).toBe('');
        expect(hex(rootFromInclusion({ ...proof, index: index - 1 }))).not.toBe(root);
      }
      for (const i of path.keys()) {
        const forged = path.map((hash, at) => (at === i ? flip(hash) : hash));
        expect(hex(rootFromInclusion({ ...proof, path: forged }))).not.toBe(root);
      }
    }
  });

  it('of consistency fail when a hash is flipped, left out or added', () => {
    for (const [oldSize, size] of [
      [1, 2],
      [3, 7],
      [4, 7],
      [6, 8],
      [255, 300],
      [256, 300],
    ] as const) {
      const path = consistencyPath(oldSize, size, full.readNode);
      const proof = {
        oldSize,
        size,
        path,
        oldRoot: naive.root(0, oldSize),
        root: naive.root(0, size),
      };
      expect(isConsistent({ ...proof, path: [...path, sha256('')] })).toBe(false);
      expect(isConsistent({ ...proof, path: path.slice(1) })).toBe(false);
      expect(isConsistent({ ...proof, path: [] })).toBe(false);
      expect(isConsistent({ ...proof, root: flip(proof.root) })).toBe(false);
      expect(isConsistent({ ...proof, oldRoot: flip(proof.oldRoot) })).toBe(false);
      for (const i of path.keys()) {
        const forged = path.map((hash, at) => (at === i ? flip(hash) : hash));
        expect(isConsistent({ ...proof, path: forged })).toBe(false);
      }
    }
  });

  it('of consistency follow the rule for empty, equal and impossible sizes', () => {
    const root = naive.root(0, 5);
    const empty = sha256('');
    const base = { oldSize: 0, oldRoot: empty, size: 5, root, path: [] };
    expect(consistencyPath(0, 5, full.readNode)).toEqual([]);
    expect(consistencyPath(5, 5, full.readNode)).toEqual([]);
    expect(isConsistent(base)).toBe(true);
    expect(isConsistent({ ...base, oldRoot: root })).toBe(false);
    expect(isConsistent({ ...base, path: [root] })).toBe(false);
    expect(isConsistent({ ...base, oldSize: 5, oldRoot: root })).toBe(true);
    expect(isConsistent({ ...base, oldSize: 5, oldRoot: flip(root) })).toBe(false);
    expect(isConsistent({ ...base, oldSize: 5, oldRoot: root, path: [root] })).toBe(false);
    expect(isConsistent({ ...base, oldSize: 6 })).toBe(false);
    expect(isConsistent({ ...base, oldSize: -1 })).toBe(false);
  });

  it('are not made for leaves and sizes that do not exist', () => {
    expect(() => inclusionPath(5, 5, full.readNode)).toThrow(RangeError);
    expect(() => inclusionPath(-1, 5, full.readNode)).toThrow(RangeError);
    expect(() => consistencyPath(6, 5, full.readNode)).toThrow(RangeError);
    expect(() => consistencyPath(-1, 5, full.readNode)).toThrow(RangeError);
  });

  it('reach beyond 32-bit sizes', () => {
    const size = 2 ** 40 + 3;
    const zero = sha256('zero');
    const path = inclusionPath(size - 1, size, () => zero);
    const proof = { index: size - 1, size, leafHash: zero, path };
    expect(path).toHaveLength(2);
    expect(rootFromInclusion(proof)).toEqual(nodeHash(zero, nodeHash(zero, zero)));
  });
});

describe('tileNodeReader', () => {
  it('finds every complete node from leaf hashes and one hash for each 256', () => {
    const tree = growTree(Array.from({ length: 1025 }, (_, i) => leafHash(`tile ${i}`)));
    const kept = tree.completed.filter((node) => node.level === 0 || isTileNode(node));
    expect(kept).toHaveLength(1025 + 4);
    const rows = new Map(kept.map((node) => [`${node.level}/${node.index}`, node.hash]));
    const read = tileNodeReader(({ tileLevel, start, count }) => {
      const hashes = Array.from({ length: count }, (_, i) =>
        rows.get(`${tileLevel * 8}/${start + i}`),
      );
      return hashes.filter((hash) => hash !== undefined);
    });
    for (const { level, index, hash } of tree.completed) expect(read(level, index)).toEqual(hash);
    expect(() => read(9, 2)).toThrow('no node 2 at level 9');
    expect(() => read(0, 1025)).toThrow(RangeError);
  });
});

function isSamePath(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  return left.length === right.length && left.every((hash, i) => isSame(hash, right[i]));
}
