import { PerformanceObserver } from 'node:perf_hooks';
import { systemClock } from '#lib/core/clock.ts';
import { createLogger } from '#lib/core/log.ts';
import { connect } from '#lib/db/connection.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';

// One retention pass alone in its process, so that its memory is its own; prints one JSON line. Started by retention.ts.
const {
  DATABASE_URL: url = '',
  BLOB_READ_WRITE_TOKEN: token = '',
  VERCEL_BLOB_API_URL: api = '',
} = process.env;
const budgetMs = Number(process.argv[2]);
routeBlobHosts(api);
const connection = connect({ url, poolMax: 4 });
const before = process.memoryUsage().rss;
let peak = before;
let live = 0;
// What a full collection leaves is what the pass holds; the rest of the resident memory is what V8 had no reason to give back.
new PerformanceObserver((list) => {
  const isFull = list
    .getEntries()
    .some((entry) => (entry as unknown as { detail: { kind: number } }).detail.kind === 4);
  const { heapUsed, external } = process.memoryUsage();
  if (isFull) live = Math.max(live, heapUsed + external);
}).observe({ entryTypes: ['gc'] });
const sampling = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 20);
const started = performance.now();
const report = await runRetention(
  {
    actor: { type: 'system', job: 'retention' },
    db: connection.db,
    kysely: connection.kysely,
    clock: systemClock,
    log: createLogger({ write: () => {}, now: () => new Date() }),
    requestId: 'req_bench',
    files: { store: vercelBlobStore({ token }), storeToken: token, storeApiUrl: api },
  },
  { budgetMs },
);
const seconds = (performance.now() - started) / 1000;
clearInterval(sampling);
await connection.close();
console.log(
  JSON.stringify({
    report,
    seconds,
    beforeMiB: before / 2 ** 20,
    peakMiB: peak / 2 ** 20,
    liveMiB: live / 2 ** 20,
    roundTrips: connection.roundTrips(),
  }),
);
