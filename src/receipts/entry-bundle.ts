// Entry bundles of c2sp.org/tlog-tiles: leaves one behind the other, each after its length.

/** Each leaf behind two bytes of length, big-endian. A leaf is never longer: `leafSizeMaxBytes`. */
export function encodeEntryBundle(leaves: readonly Uint8Array[]): Uint8Array {
  const size = leaves.reduce((sum, leaf) => sum + 2 + leaf.length, 0);
  const bundle = new Uint8Array(size);
  let at = 0;
  for (const leaf of leaves) {
    bundle[at] = leaf.length >> 8;
    bundle[at + 1] = leaf.length & 0xff;
    bundle.set(leaf, at + 2);
    at += 2 + leaf.length;
  }
  return bundle;
}
