import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ensureCluster } from '#lib/local/postgres/cluster.ts';

it('a database whose marker is damaged is never begun anew: its data stays, and the fault is told', async () => {
  const base = await mkdtemp(path.join(tmpdir(), 'atelier-cluster-'));
  try {
    const cluster = path.join(base, 'cluster');
    await mkdir(cluster);
    await writeFile(path.join(cluster, 'PG_VERSION'), '18\n');
    await writeFile(path.join(base, 'cluster.json'), '');
    const binaries = { initdb: path.join(base, 'absent'), postgres: path.join(base, 'absent') };
    const place = { base, cluster, binaries, user: undefined, outsideClone: false };
    await expect(ensureCluster(place, true)).rejects.toThrow('cluster.json cannot be read');
    expect(await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).toBe('18\n');
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});
