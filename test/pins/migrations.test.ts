// A migration that was released never changes: a store that ran it would not be what the code expects.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readRepositoryFile, repositoryFiles } from '../source-files.ts';

const released: Readonly<Record<string, readonly (readonly [file: string, sha256: string])[]>> = {
  sqlite: [
    ['0001-start.sql', '2a1da2a794609f245a6496b92a1a1eaef02afc4aa19dc496e18eef21f774277c'],
    ['0002-budgets.sql', '446cad0a4de081144230ff2571d5e6408a95f446bc275564e781a6a8f2427edb'],
    ['0003-reconcile.sql', '81863d18e32ad22f8d1fe7b90a05b28c76ec681c10d2fab337b3e0126cdde61c'],
    ['0004-log-history.sql', '271c3c875a888b800aafd1de102ed5a5593b658b17d1ba3840364fe046f8aadf'],
    ['0005-chores.sql', '75e0abf8f91ff2c98939b2ec4b3599fe52bd668b3de87d176c2cd27194ef282d'],
    ['0006-witnesses.sql', 'b1574f039e768119d9f92765d7f6b211d62c85715c5a7f9fb79ed78cedfb0897'],
    ['0007-timestamps.sql', 'cd419688f187b26d796de1159fae5af228022a3309bd5920472a84df1d6a1e88'],
    ['0008-people.sql', 'd655b7d698533499bff93177696f9e0d8f4cffbbd87376a343f7df7fd95db090'],
    ['0009-history.sql', '3a6e04a5c11922041c510e1bc03fd33c8f3a776887d2e457d4833d46283924d3'],
  ],
  postgres: [
    ['0001-start.sql', '021b175bdae9a2ad4147c8e9b623a27a1b5bbb42f4a133ccb8fbf82f41356c7b'],
    ['0002-budgets.sql', '7e30f4b595b10505f31a96e354ccef6131dfc2b0e8b80a3a01d132965fd6d7b0'],
    ['0003-reconcile.sql', 'c74b9824cf4abf9fd30cb63441347eb4c753257e8b1f42bb68dedde6629a8655'],
    ['0004-log-history.sql', 'e7021c00f1bf2f8f3ca416c172e026b266add12482295e6575051ded40bc2444'],
    ['0005-chores.sql', 'ac92898f5097eaa7d5b975bdca316711cc45f8abf14a28e53ab359c063a7fa9a'],
    ['0006-witnesses.sql', '389ce64522f35dd72fe23c7c843f29544d5303c1796fa2931b52552f97194c55'],
    ['0007-timestamps.sql', 'a74fa342407b47ef800c61f0555d167ae037d102e5c4e5f4e0949a5989be025f'],
    ['0008-people.sql', '0f64034bef9cca74d1b24a11ca81f52205f786524882a5373a8eaa0bee8a561f'],
    ['0009-history.sql', 'd32fbf3d59860ea97e18a65216020ff43ee25bf81e2a759f3c6e9e28b34086d8'],
  ],
};

describe('migrations', () => {
  it.each(Object.entries(released))('of %s are these, byte for byte', (store, expected) => {
    const folder = `src/stores/${store}/migrations`;
    const files = repositoryFiles(folder).filter((path) => path.endsWith('.sql'));
    const hashes = files.map((path) => [
      path.slice(folder.length + 1),
      createHash('sha256').update(readRepositoryFile(path)).digest('hex'),
    ]);
    expect(hashes).toEqual(expected);
  });
});
