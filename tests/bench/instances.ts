import os from 'node:os';
import { connect } from '#lib/db/connection.ts';
import type { LocalServices } from '#lib/local/services/open-services.ts';
import { ensureBuild } from '#lib/local/serving/build.ts';
import { nextFreePort, type Served, serve } from '#lib/local/serving/serve.ts';
import { startBalancer } from '#tests/deployment/instances/round-robin.ts';
import { median } from './figures/median.ts';
import type { Table } from './figures/report.ts';
import { type Load, load } from './load.ts';
import { type BenchSetting, makeSetting } from './setting.ts';

const MOST = 3;
const CONNECTIONS = 16;

type InstanceRow = {
  name: string;
  /** Behind the balancer; 0: one instance, asked without it. */
  instances: number;
  /** Median of the rounds. */
  requestsPerSecond: number;
  p99Ms: number;
  /** Over one instance behind the balancer in the same round: the median, the least and the most of the rounds. */
  ratio: number;
  leastRatio: number;
  mostRatio: number;
  errors: number;
  /** Cores of the machine that did something, whatever it was. */
  busyCores: number;
  /** Processor of the instances and the database, a request: all that was busy, less the load and the balancer. */
  serviceCpuMs: number;
};

type Measured = Load & { ratio: number; busyCores: number; serviceCpuMs: number };

/** Requests a second of one, two and three instances, as a table. `quick`: one short round. */
export async function benchInstances(services: LocalServices, quick = false): Promise<Table> {
  // One account asks for everything here: its rate, which is counted all the same, must refuse none of it.
  const env = { ...process.env, ...services.env, SERVICE_ACCOUNT_RATE: '100000000' };
  await ensureBuild(env, console.log);
  const connection = connect({ url: services.databaseUrl, poolMax: 4 });
  const setting = await makeSetting(connection, { keys: 4_000, memories: 100 });
  await connection.close();
  const rows = await measureInstances(env, setting, quick ? { rounds: 1, amount: 50 } : {});
  const cores = os.cpus().length;
  return {
    name: 'instances',
    title: `One, two and three instances behind a balancer, on one database (${CONNECTIONS} connections)`,
    targets: ['no request fails', 'a request costs no more processor on three instances than on one'],
    notes: [
      '"× one": compared with one instance behind the balancer in the same round; the median, then the least and the most of the rounds',
      `the ${cores} cores are shared by the instances, the database, the balancer and the load generator: "cores busy" near ${cores} says that another instance had nothing to run on, so "× one" stays near 1 whatever the service does`,
      '"processor ms": processor time of the instances and the database, per request. Where it stays the same, an instance on cores of its own adds what the first one answers, as long as the database has room',
    ],
    rows: rows.map((row) => ({
      endpoint: row.name,
      instances: row.instances === 0 ? '1, no balancer' : row.instances,
      'req/s': Math.round(row.requestsPerSecond),
      '× one': round(row.ratio),
      'least to most': `${round(row.leastRatio)} to ${round(row.mostRatio)}`,
      'p99 ms': row.p99Ms,
      errors: row.errors,
      'cores busy': round(row.busyCores),
      'processor ms': round(row.serviceCpuMs),
    })),
  };
}

/**
 * The same load on one, two and three servers of this build, on one database, behind a balancer that lives in this process. All three run
 * from the beginning to the end, and each round asks every number of them in another order, so that a ratio compares moments seconds apart.
 */
async function measureInstances(
  env: NodeJS.ProcessEnv,
  setting: BenchSetting,
  options: { rounds?: number; amount?: number } = {},
): Promise<InstanceRow[]> {
  const rounds = options.rounds ?? 5;
  // So many answers in place of a time: what a busy machine gives too, later.
  const amount = options.amount ?? 800;
  const { spaceId, keys } = setting;
  const targets = [
    { name: 'GET /spaces/{id}/context', path: `/api/v1/spaces/${spaceId}/context?maxChars=4000` },
    { name: 'GET /search, never asked before', path: '/api/v1/search?q=lumi%C3%A8re%20chaude%20%7Bn%7D' },
  ];
  const served: Served[] = [];
  const balancer = await startBalancer('http://127.0.0.1');
  try {
    for (let n = 0; n < MOST; n += 1) {
      const port = await nextFreePort(20_000 + Math.floor(Math.random() * 20_000));
      served.push(await serve({ mode: 'start', port, env, quiet: true }));
    }
    const ask = async (path: string, instances: number) => {
      const asked = served.slice(0, Math.max(1, instances)).map(({ url }) => url);
      balancer.setInstances(asked);
      const url = (instances === 0 ? asked[0] : balancer.url) + path;
      return watched(amount, () => load({ url, keys, amount, connections: CONNECTIONS }));
    };
    const measured = new Map<string, Measured[]>();
    for (const { path } of targets) await ask(path, MOST);
    for (let round = 0; round < rounds; round += 1)
      for (const { name, path } of targets) {
        const inThisRound = new Map<number, Omit<Measured, 'ratio'>>();
        const order = Array.from({ length: MOST + 1 }, (_, n) => (n + round) % (MOST + 1));
        for (const instances of order) inThisRound.set(instances, await ask(path, instances));
        const one = inThisRound.get(1)?.requestsPerSecond ?? Number.NaN;
        for (const [instances, figures] of inThisRound) {
          const id = `${instances} ${name}`;
          const ratio = figures.requestsPerSecond / one;
          measured.set(id, [...(measured.get(id) ?? []), { ...figures, ratio }]);
        }
      }
    return targets.flatMap(({ name }) =>
      Array.from({ length: MOST + 1 }, (_, instances) => {
        const figures = measured.get(`${instances} ${name}`) ?? [];
        const middle = (pick: (one: Measured) => number) => median(figures.map(pick));
        const ratios = figures.map(({ ratio }) => ratio).toSorted((a, b) => a - b);
        return {
          name,
          instances,
          requestsPerSecond: middle((one) => one.requestsPerSecond),
          p99Ms: middle((one) => one.p99Ms),
          ratio: middle((one) => one.ratio),
          leastRatio: ratios[0] ?? Number.NaN,
          mostRatio: ratios.at(-1) ?? Number.NaN,
          errors: figures.reduce((sum, { errors }) => sum + errors, 0),
          busyCores: middle((one) => one.busyCores),
          serviceCpuMs: middle((one) => one.serviceCpuMs),
        };
      }),
    );
  } finally {
    await balancer.close();
    for (const one of served) await one.stop();
  }
}

/** A load, and what the machine's cores did meanwhile. */
async function watched(requests: number, work: () => Promise<Load>): Promise<Omit<Measured, 'ratio'>> {
  const [beganAt, busyBefore, ownBefore] = [performance.now(), busyMs(), process.cpuUsage()];
  const done = await work();
  const own = process.cpuUsage(ownBefore);
  const [tookMs, busy] = [performance.now() - beganAt, busyMs() - busyBefore];
  const ofTheBench = done.cpuSeconds * 1_000 + (own.user + own.system) / 1_000;
  return {
    ...done,
    busyCores: busy / tookMs,
    serviceCpuMs: Math.max(0, busy - ofTheBench) / requests,
  };
}

/** What all cores have done since the machine started, in ms of one core. */
function busyMs(): number {
  return os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
