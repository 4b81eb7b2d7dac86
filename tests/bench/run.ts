import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { connect } from '#lib/db/connection.ts';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { generateClient } from '#lib/local/prisma/client.ts';
import { openServices } from '#lib/local/services/open-services.ts';
import { ensureBuild } from '#lib/local/serving/build.ts';
import { nextFreePort, serve } from '#lib/local/serving/serve.ts';
import { benchContext } from './context.ts';
import { compareHead, compareTables, readResults } from './figures/compare.ts';
import { type Table, writePage, writeTable } from './figures/report.ts';
import { benchInstances } from './instances.ts';
import { benchLongText } from './long-text.ts';
import { benchRetention } from './retention/retention.ts';
import { benchRoutes } from './routes.ts';
import { benchSearch } from './search.ts';
import { CORPUS } from './search-fr/corpus.ts';
import { evaluate, ourEngine, peerEngines } from './search-fr/evaluate.ts';
import { QUERIES } from './search-fr/queries.ts';
import { makeSetting } from './setting.ts';
import { benchStudio } from './studio.ts';
import { benchWrites } from './writes.ts';

// npm run bench [-- --only routes,instances,search,quality,context,writes,long-text,studio,retention --quick --write]: builds its own data in a folder of its own, measures side
// by side in one run, prints tables and keeps them as JSON; --write puts them in docs/benchmarks.md. With --compare nothing is measured:
// the results of two runs (of two trees) are put side by side.
const { values, positionals } = readOptions(
  'npm run bench -- [--only routes,instances,search,quality,context,writes,long-text,studio,retention] [--quick] [--write] | --compare before.json after.json [--write]',
  {
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean' },
      write: { type: 'boolean' },
      compare: { type: 'boolean' },
    },
    allowPositionals: true,
  },
);
const page = path.join(repositoryRoot, 'docs/benchmarks.md');
if (values.compare) {
  const [formerFile, latterFile] = positionals;
  if (!formerFile || !latterFile) throw new Error('Name the two results: --compare before.json after.json');
  const [before, after] = [await readResults(formerFile), await readResults(latterFile)];
  const [head, compared] = [compareHead(before, after), compareTables(before, after)];
  console.log(`${head}\n${compared.map(writeTable).join('\n')}`);
  if (values.write) await writeFile(page, writePage(head, compared));
  process.exit();
}
const BENCHES = [
  'routes',
  'instances',
  'search',
  'quality',
  'context',
  'writes',
  'long-text',
  'studio',
  'retention',
];
const only = values.only?.split(',');
const unknown = only?.find((name) => !BENCHES.includes(name));
if (unknown !== undefined) {
  console.error(`No such bench: ${unknown}. There are ${BENCHES.join(', ')}.`);
  process.exit(2);
}
const wanted = (name: string) => !only || only.includes(name);
const folder = path.join(repositoryRoot, '.tmp', 'bench');
await rm(path.join(folder, 'data'), { recursive: true, force: true });
process.env.SERVICE_DATA_DIR = path.join(folder, 'data');
process.env.SERVICE_ENV = 'development';
delete process.env.DATABASE_URL;

await generateClient();
const services = await openServices({});
await mkdir(folder, { recursive: true });
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const file = path.join(folder, 'results.json');
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
const day = new Date().toISOString().slice(0, 10);
/** In the order of the page; those of an earlier `--only` stay until they are measured again. */
const ORDER = [
  'routes',
  'instances',
  'search',
  'quality',
  'context',
  'writes',
  'long-text',
  'studio-journal',
  'studio-submit',
  'studio-sweep',
  'retention',
];
const former = JSON.parse(await readFile(file, 'utf8').catch(() => '{"tables":[]}')) as { tables: Table[] };
let tables: Table[] = only ? former.tables : [];
// Kept as it goes: a bench that fails does not lose what the others measured.
const show = async (table: Table) => {
  tables = [...tables.filter(({ name }) => name !== table.name), table].sort(
    (a, b) => ORDER.indexOf(a.name) - ORDER.indexOf(b.name),
  );
  await writeFile(file, `${JSON.stringify({ machine, commit, day, tables }, null, 2)}\n`);
  console.log(writeTable(table));
};

try {
  if (wanted('routes')) {
    // One account asks for everything here: its rate, which is counted all the same, must refuse none of it.
    const env = { ...process.env, ...services.env, SERVICE_ACCOUNT_RATE: '100000000' };
    await ensureBuild(env, console.log);
    const connection = connect({ url: services.databaseUrl, poolMax: 4 });
    const setting = await makeSetting(connection, { keys: 4_000, memories: 100 });
    await connection.close();
    const port = await nextFreePort(20_000 + Math.floor(Math.random() * 20_000));
    const served = await serve({ mode: 'start', port, env, quiet: true });
    try {
      const rows = await benchRoutes(served.url, setting, values.quick ? { rounds: 1, seconds: 2 } : {});
      await show({
        name: 'routes',
        title: 'Read endpoints beside a bare route handler (16 connections)',
        targets: ['GET /search ≥ 0.30 × the bare handler, the whole Space ≥ 0.55, its context ≥ 0.5'],
        notes: [
          'GET /search asks the same words each time: it is answered from the cache of the process, which the statement that authenticates confirms as current',
        ],
        rows: rows.map(({ name, requestsPerSecond, p50Ms, p99Ms, errors, ratio }) => ({
          endpoint: name,
          'req/s': Math.round(requestsPerSecond),
          'p50 ms': p50Ms,
          'p99 ms': p99Ms,
          errors,
          '× bare': round(ratio),
        })),
      });
    } finally {
      await served.stop();
    }
  }
  if (wanted('instances')) await show(await benchInstances(services, values.quick));
  if (wanted('search')) {
    const { rows, growth } = await benchSearch({
      databaseUrl: services.databaseUrl,
      ...(values.quick ? { sizes: [1_000, 10_000] } : {}),
    });
    await show({
      name: 'search',
      title: 'Search by size of account, beside the statement that it begins with',
      targets: [`p95 at the largest size ≤ 2 × the smallest: ${round(growth)}`],
      notes: [
        '"first": each query the first time that the process meets it; otherwise what it read of the index is cached',
      ],
      rows: rows.map(({ memories, search, first, candidates, writeSeconds }) => ({
        Memories: memories,
        'first p50 ms': round(first.p50Ms),
        'first p95 ms': round(first.p95Ms),
        'search p50 ms': round(search.p50Ms),
        'search p95 ms': round(search.p95Ms),
        'SQL p50 ms': round(candidates.p50Ms),
        'SQL p95 ms': round(candidates.p95Ms),
        'search ÷ SQL (p50)': round(search.p50Ms / candidates.p50Ms),
        'written in s': round(writeSeconds),
      })),
    });
  }
  if (wanted('quality')) {
    const engines = { Atelier: ourEngine(), ...(await peerEngines()) };
    const rows: Table['rows'] = [];
    for (const [engine, answer] of Object.entries(engines)) {
      const { success1, mrr10, silence } = await evaluate(answer);
      rows.push({
        engine,
        'Success@1 %': round(100 * success1),
        'MRR@10': round(mrr10),
        'negatives silent %': round(100 * silence),
      });
    }
    await show({
      name: 'quality',
      title: `Search in French: ${QUERIES.length} queries on ${CORPUS.length} Memories`,
      targets: ['ahead of MiniSearch and Orama on Success@1 and MRR@10'],
      notes: [
        'accents, elision, ligatures, title against body, phrases, incomplete words, and words that are in no text (tests/bench/search-fr)',
      ],
      rows,
    });
  }
  if (wanted('context')) {
    const { rows, growth } = benchContext();
    await show({
      name: 'context',
      title: 'Context assembly beside JSON.stringify of the same rows',
      targets: ['10,000 Memories ≤ 12 × 1,000', 'at most 1 × JSON.stringify'],
      rows: rows.map(({ memories, maxChars, assembleMs, stringifyMs, ratio }) => ({
        Memories: memories,
        maxChars,
        'assemble ms': round(assembleMs),
        'stringify ms': round(stringifyMs),
        '÷ stringify': round(ratio),
      })),
      notes: Object.entries(growth).map(
        ([budget, factor]) => `10,000 ÷ 1,000 at ${budget} characters: ${round(factor)}`,
      ),
    });
  }
  if (wanted('writes')) {
    const { rows, speedup } = await benchWrites({ databaseUrl: services.databaseUrl });
    await show({
      name: 'writes',
      title: 'Add-Memory throughput on one account',
      targets: ['32 writers ≥ 1 × one writer'],
      notes: [
        `32 writers ÷ 1 writer: ${round(speedup)}; each addition claims the capacity on the account’s row: those of one process take turns`,
      ],
      rows: rows.map(({ writers, memoriesPerSecond, p50Ms, p99Ms }) => ({
        writers,
        'Memories/s': Math.round(memoriesPerSecond),
        'p50 ms': round(p50Ms),
        'p99 ms': round(p99Ms),
      })),
    });
  }
  if (wanted('long-text')) await show(await benchLongText({ databaseUrl: services.databaseUrl }));
  if (wanted('studio')) {
    const { journal, submits, sweeps } = await benchStudio({
      databaseUrl: services.databaseUrl,
      ...(values.quick ? { sizes: [1_000, 100_000], due: [500, 2_000] } : {}),
    });
    const smallest = (filter: string) => journal.find((row) => row.filter === filter)?.p50Ms ?? 1;
    await show({
      name: 'studio-journal',
      title: 'First page of the journal by number of rows',
      targets: ['p50 at 1,000,000 rows ≤ 1.5 × 1,000 rows'],
      rows: journal.map(({ rows, filter, p50Ms, p95Ms }) => ({
        rows,
        filter,
        'p50 ms': round(p50Ms),
        'p95 ms': round(p95Ms),
        '÷ smallest': round(p50Ms / smallest(filter)),
      })),
    });
    await show({
      name: 'studio-submit',
      title: 'Generations submitted on one wallet, instant provider',
      targets: ['an image: at most 8 round trips', 'a video answers within about a second'],
      rows: submits.map(({ kind, together, perSecond, p50Ms, p99Ms, roundTrips }) => ({
        kind,
        together,
        'per second': round(perSecond),
        'p50 ms': round(p50Ms),
        'p99 ms': round(p99Ms),
        'round trips': round(roundTrips),
      })),
    });
    const perRow = (['still running', 'finished'] as const).map((job) => {
      const [few, many] = sweeps.filter((row) => row.job === job);
      const growth = few && many ? few.perSecond / many.perSecond : 1;
      return `${job}: time per row, large ÷ small: ${round(growth)}`;
    });
    await show({
      name: 'studio-sweep',
      title: 'A sweep over due videos, instant provider',
      targets: ['linear time, bounded memory'],
      rows: sweeps.map(({ job, due, seconds, perSecond, beforeMiB, peakMiB }) => ({
        job,
        'due rows': due,
        s: round(seconds),
        'rows/s': Math.round(perSecond),
        'MiB before': Math.round(beforeMiB),
        'peak + MiB': Math.round(peakMiB),
      })),
      notes: perRow,
    });
  }
  if (wanted('retention')) {
    const { rows, objects, fillSeconds } = await benchRetention({
      databaseUrl: services.databaseUrl,
      dataDir: services.dataDir,
      env: services.env,
      ...(values.quick ? { objects: 5_000 } : {}),
    });
    await show({
      name: 'retention',
      title: `Retention over ${objects.toLocaleString('en')} rows and ${(objects * 1.1).toLocaleString('en')} objects of the embedded store`,
      targets: [
        'a pass ends inside 240 s',
        'peak memory of the process under 300 MiB',
        'a cut pass is resumed',
      ],
      notes: [
        `rows and objects made in ${round(fillSeconds)} s`,
        'each pass is a process of its own with a heap of 96 MiB; the peak is all of its resident memory',
        '"any heap": V8 takes what the machine has before it collects garbage; "live" is the most that a full collection left, so what the pass itself holds',
      ],
      rows: rows.map(({ pass, seconds, beforeMiB, peakMiB, liveMiB, roundTrips, report }) => ({
        pass,
        seconds: round(seconds),
        'before MiB': Math.round(beforeMiB),
        'peak MiB': Math.round(peakMiB),
        'live MiB': Math.round(liveMiB),
        'round trips': roundTrips,
        expired: report.assets.expired,
        orphans: report.orphans.expired,
        scanned: report.orphans.scanned,
        complete: String(report.complete),
      })),
    });
  }
} finally {
  await services.close();
}
console.log(`\n${machine}\nJSON: ${path.relative(repositoryRoot, file)}`);
if (values.write) await writeFile(page, writePage(`Machine: ${machine}. ${day}.`, tables));
process.exit();

function round(value: number): number {
  return Number(value.toPrecision(3));
}
