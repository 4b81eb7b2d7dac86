import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { connect } from '#lib/db/connection.ts';
import { BlobIndex } from '#lib/local/blob/index.ts';
import type { RetentionReport } from '#lib/storage/retention/report.ts';

type RetentionBenchRow = {
  pass: string;
  seconds: number;
  /** Resident memory of the process before the pass, and its peak. */
  beforeMiB: number;
  peakMiB: number;
  /** Most that a full collection left: what the process holds, its own code and libraries included. */
  liveMiB: number;
  roundTrips: number;
  report: RetentionReport;
};

const DAY_MS = 86_400_000;
const ORPHAN_SHARE = 10;
/** On a large machine V8 collects lazily: a small heap shows what the pass needs, not what it may waste. */
const HEAP = ['--max-old-space-size=96', '--max-semi-space-size=4'];

/**
 * A store of `objects` old files under as many rows, half of which nobody keeps, and a tenth more that no row names; then a pass
 * that is cut after 20 seconds, the one that resumes it, and a night with nothing to delete, twice. The store is the embedded one, over HTTP.
 */
export async function benchRetention(input: {
  databaseUrl: string;
  dataDir: string;
  env: Record<string, string>;
  objects?: number;
}): Promise<{ rows: RetentionBenchRow[]; objects: number; fillSeconds: number }> {
  const objects = input.objects ?? 100_000;
  const started = performance.now();
  await fillRows(input.databaseUrl, objects);
  fillStore(path.join(input.dataDir, 'files'), objects);
  const fillSeconds = (performance.now() - started) / 1000;
  const env = { ...process.env, ...input.env };
  const rows = [
    await onePass('cut after 20 s', 20_000, env),
    await onePass('resumed', 240_000, env),
    await onePass('the night after', 240_000, env),
    await onePass('the same, any heap', 240_000, env, []),
  ];
  return { rows, objects, fillSeconds };
}

async function onePass(
  pass: string,
  budgetMs: number,
  env: NodeJS.ProcessEnv,
  heap: readonly string[] = HEAP,
): Promise<RetentionBenchRow> {
  const script = path.join(import.meta.dirname, 'retention-pass.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...heap, script, String(budgetMs)], {
    env,
    maxBuffer: 2 ** 24,
  });
  return {
    pass,
    ...(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Omit<RetentionBenchRow, 'pass'>),
  };
}

// Letters of their own: the studio's bench may have filled the same database.
const idOf = (prefix: string) => `'${prefix}_r' || lpad(n::text, 25, '0')`;
const pathOf = (n: number) => `generations/gen_r${String(n).padStart(25, '0')}/image-1.png`;
const etagOf = (n: number) => `"${String(n).padStart(32, '0')}"`;

/** One generation and one file each; by tens: five that nobody keeps, then approved, avatar, concept, lineage, render pair. */
async function fillRows(databaseUrl: string, objects: number): Promise<void> {
  const connection = connect({ url: databaseUrl, poolMax: 2 });
  const at = `now() - interval '40 days' + n * interval '1 millisecond'`;
  await connection.pool.query(`
    INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "params", "references",
      "artifacts", "costMicros", "ancestorId", "createdAt", "deadlineAt", "dueAt", "updatedAt", "closedAt", "closedBy", "requestId")
    SELECT ${idOf('gen')}, 'acc_bench', 'mbr_bench', 'libre', 'IMAGE', 'IMAGE', 'COMPLETED', '{}', '{}',
      jsonb_build_array(jsonb_build_object('pathname', 'generations/' || ${idOf('gen')} || '/image-1.png', 'contentType', 'image/png', 'bytes', 64)),
      40000, CASE WHEN n % 10 = 8 THEN 'gen_r' || lpad((n - 3)::text, 25, '0') END, ${at}, ${at}, ${at}, ${at}, ${at}, 'request', 'req_bench'
    FROM generate_series(1, ${objects}) n`);
  await connection.pool.query(
    `INSERT INTO "Concept" VALUES ('cpt_bench', 'acc_bench', 'mbr_bench', 'libre', 'Banc', '', now(), now(), NULL)`,
  );
  await connection.pool.query(`
    INSERT INTO "Asset" ("id", "accountId", "memberId", "productId", "generationId", "type", "state", "pathname", "contentType",
      "bytes", "etag", "conceptId", "createdAt", "updatedAt")
    SELECT ${idOf('ast')}, 'acc_bench', 'mbr_bench', 'libre', ${idOf('gen')}, 'IMAGE',
      (CASE WHEN n % 10 = 5 THEN 'APPROVED' WHEN n % 10 = 4 THEN 'REJECTED' ELSE 'GENERATED' END)::"AssetState",
      'generations/' || ${idOf('gen')} || '/image-1.png', 'image/png', 64, '"' || lpad(n::text, 32, '0') || '"',
      CASE WHEN n % 10 = 7 THEN 'cpt_bench' END, ${at}, ${at}
    FROM generate_series(1, ${objects}) n`);
  await connection.pool.query(`
    INSERT INTO "Avatar" ("id", "accountId", "memberId", "productId", "assetId", "name", "pathname", "createdAt")
    SELECT ${idOf('ava')}, 'acc_bench', 'mbr_bench', 'libre', ${idOf('ast')}, 'Visage', 'generations/' || ${idOf('gen')} || '/image-1.png', now()
    FROM generate_series(6, ${objects}, 10) n`);
  await connection.pool.query(`
    INSERT INTO "Lesson" ("id", "accountId", "memberId", "productId", "assetId", "text", "createdAt")
    SELECT ${idOf('les')}, 'acc_bench', 'mbr_bench', 'libre', ${idOf('ast')}, 'Leçon', now() FROM generate_series(9, ${objects}, 10) n`);
  await connection.pool.query('ANALYZE');
  await connection.close();
}

/** Straight into the embedded store's folder: what takes minutes over HTTP takes seconds. */
function fillStore(folder: string, objects: number): void {
  const index = new BlobIndex(folder);
  const uploadedAtMs = Date.now() - 40 * DAY_MS;
  const content = Buffer.alloc(64, 7);
  for (let n = 0; n < 256; n += 1)
    mkdirSync(path.join(folder, 'objects', n.toString(16).padStart(2, '0')), { recursive: true });
  const insert = index.sql.prepare('insert into blob values (?, ?, ?, ?, ?, ?, ?, ?)');
  const add = (pathname: string, n: number) => {
    const object =
      ((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0') + n.toString(16).padStart(24, '0');
    writeFileSync(index.pathOf(object), content);
    insert.run(pathname, 'private', object, 64, 'image/png', 60, etagOf(n), uploadedAtMs);
  };
  index.change(() => {
    for (let n = 1; n <= objects; n += 1) add(pathOf(n), n);
    for (let n = 1; n <= objects / ORPHAN_SHARE; n += 1)
      add(`products/perdu/${String(n).padStart(8, '0')}.png`, objects + n);
  });
  index.close();
}
