import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '#lib/db/connection.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { parseArtifacts } from '#lib/studio/generation/params.ts';
import { inexact } from '#tests/faults/workload.ts';
import { readMp4 } from '#tests/setup/storage/measure-media.ts';
import type { Outside } from './outside.ts';
import type { Ask } from './workload.ts';

export type Verdict = {
  violations: string[];
  /** Rows by kind, state and code. */
  rows: Map<string, number>;
  closedBy: Map<string, number>;
  filesRead: number;
  /** What the provider finished, delivered and settled. */
  deliveredJobs: number;
  /** Paid to the provider and refunded to the member: what the kills cost the house. */
  lostToTheHouse: number;
};

const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);

/** Everything that must hold once nothing is open: rows, books, files, and what the provider would bill. */
export async function judge(input: {
  connection: Pick<Connection, 'db' | 'pool'>;
  store: Pick<FileStore, 'read'>;
  outside: Pick<Outside, 'jobs' | 'images'>;
  asks: readonly Ask[];
  dataDir: string;
}): Promise<Verdict> {
  const { connection, store, outside, asks } = input;
  const violations = await inexact(connection);
  const verdict: Verdict = {
    violations,
    rows: new Map(),
    closedBy: new Map(),
    filesRead: 0,
    lostToTheHouse: 0,
    deliveredJobs: 0,
  };
  const rows = await connection.db.generation.findMany({ orderBy: { id: 'asc' } });
  const lines = await connection.db.ledgerLine.findMany({ where: { generationId: { not: null } } });
  const audits = await connection.db.auditEntry.findMany({
    where: { action: { in: ['generation.completed', 'generation.reconciled', 'generation.failed'] } },
  });
  for (const row of rows) {
    const wrong = (what: string) => violations.push(`${row.kind} ${row.id}: ${what}`);
    count(verdict.rows, `${row.kind} ${row.state}${row.code ? ` ${row.code}` : ''}`);
    count(verdict.closedBy, row.closedBy ?? 'nobody');
    const own = lines.filter(({ generationId }) => generationId === row.id).map(({ kind }) => kind);
    const expected = row.state === 'COMPLETED' ? 'RESERVE,SETTLE' : 'RESERVE,REFUND';
    if (own.sort().join() !== (expected === 'RESERVE,REFUND' ? 'REFUND,RESERVE' : expected))
      wrong(`its lines are ${own.join(', ')}`);
    if (row.providerWebhookSecret !== null) wrong('still holds its webhook’s secret');
    const closings = audits.filter(({ subjectId }) => subjectId === row.id);
    if (closings.length !== 1) wrong(`closed ${closings.length} times by the audit`);
    const job = outside.jobs.get(row.id);
    if (row.state === 'COMPLETED') {
      const artifacts = parseArtifacts(row.artifacts);
      if (artifacts.length === 0) wrong('completed without a file');
      for (const artifact of artifacts) {
        const file = await store.read(artifact.pathname, { maxBytes: 64 * 1024 * 1024 });
        if (!file) wrong(`${artifact.pathname} is missing`);
        else if (file.bytes.length !== artifact.bytes) wrong(`${artifact.pathname} is not whole`);
        else if (artifact.contentType === 'video/mp4' && !readMp4(file.bytes).every(({ whole }) => whole))
          wrong(`${artifact.pathname} cannot be decoded`);
        verdict.filesRead += 1;
      }
      if (job) verdict.deliveredJobs += 1;
      if (job && row.costMicros !== job.costMicros)
        wrong(`debited ${row.costMicros}, billed ${job.costMicros}`);
      if (job && job.scenario !== 'success') wrong(`delivered although its job is « ${job.scenario} »`);
      if (row.kind === 'VIDEO' && !job) wrong('delivered without a job');
    } else if (job?.scenario === 'success') verdict.lostToTheHouse += 1;
  }
  for (const job of outside.jobs.values())
    if (job.starts > 1 + job.faults)
      violations.push(`job of ${job.generationId} started ${job.starts} times`);
  for (const [mark, calls] of outside.images)
    if (calls > 1) violations.push(`image ${mark} paid ${calls} times`);
  const runs = await readdir(path.join(input.dataDir, 'render-runs')).catch(() => []);
  const renders = rows.filter(({ kind }) => kind === 'RENDER').length;
  const dispatched = runs.filter((name) => /^\d+$/.test(name)).length;
  if (dispatched > renders) violations.push(`${dispatched} runs for ${renders} renders`);
  for (const ask of asks) {
    const made = rows.filter(({ idempotencyKey }) => idempotencyKey === ask.key);
    if (made.length !== 1) violations.push(`request ${ask.key} made ${made.length} rows`);
    if (ask.id !== made[0]?.id)
      violations.push(`request ${ask.key} was told ${ask.id}, its row is ${made[0]?.id}`);
  }
  if (rows.length !== asks.length) violations.push(`${rows.length} rows for ${asks.length} requests`);
  return verdict;
}
