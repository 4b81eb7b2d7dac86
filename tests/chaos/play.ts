import { rm } from 'node:fs/promises';
import { type Connection, connect } from '#lib/db/connection.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { waitFor } from '#lib/local/processes.ts';
import { openServices } from '#lib/local/services/open-services.ts';
import { ensureBuild } from '#lib/local/serving/build.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';
import { cleanEnv } from '#tests/e2e/setup/serve.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { seeded } from '#tests/simulation/random.ts';
import { type EventsVerdict, judgeEventsOut, playEventsOut } from './events-out.ts';
import { type Instance, makeInstance } from './instances.ts';
import { judge, type Verdict } from './judge.ts';
import { type Moment, openOutside } from './outside.ts';
import { openSubscriber } from './subscriber.ts';
import { type Ask, closers, KINDS, plan, SHORT_KINDS, submit } from './workload.ts';

type ChaosReport = Verdict & {
  requests: number;
  sends: number;
  kills: string[];
  /** Rows that a kill left between the provider's answer and the books. */
  cutRows: number;
  calls: { reads: number; sweeps: number; cut: number };
  webhooks: { sent: number; accepted: number };
  /** Passes of the sweep, each twenty minutes after the former, until nothing was open. */
  passes: number;
  /** Events sent to the subscriber: what it took, and what it answered otherwise. */
  delivery: EventsVerdict & { refused: number; hung: number; deaths: number };
  seconds: number;
};

/**
 * Two real servers on one database and one store: requests, webhooks, reads and sweeps at once, and in each round one of them (or both)
 * killed with SIGKILL at a moment that hurts. Then both are brought up, swept until nothing is open, and judged.
 */
export async function playChaos(options: {
  seed: number;
  rounds: number;
  size: number;
  dataDir: string;
  say: (line: string) => void;
  /** Without lipsyncs, which take ten seconds, and without waiting for what only time ends. */
  isShort?: boolean;
}): Promise<ChaosReport> {
  const { say } = options;
  const beganAt = performance.now();
  const random = seeded(options.seed);
  await rm(options.dataDir, { recursive: true, force: true });
  process.env.SERVICE_DATA_DIR = options.dataDir;
  process.env.SERVICE_ENV = 'development';
  delete process.env.DATABASE_URL;
  const stops: (() => Promise<unknown>)[] = [() => rm(options.dataDir, { recursive: true, force: true })];
  try {
    const services = await openServices({});
    stops.push(services.close);
    const { SERVICE_BUILD_DIR } = process.env;
    const env = { ...cleanEnv(), ...services.env, ...(SERVICE_BUILD_DIR ? { SERVICE_BUILD_DIR } : {}) };
    process.env.VERCEL_BLOB_API_URL = services.env.VERCEL_BLOB_API_URL ?? '';
    routeBlobHosts(process.env.VERCEL_BLOB_API_URL);
    await ensureBuild(env, say);
    const connection = connect({ url: services.databaseUrl, poolMax: 6 });
    stops.push(connection.close);
    let [secure, plain]: [Instance | undefined, Instance | undefined] = [undefined, undefined];
    const outside = await openOutside({ seed: random.below(1e9), deliverTo: () => secure?.url ?? '' });
    stops.push(outside.close);
    const subscriber = await openSubscriber({ seed: random.below(1e9) });
    stops.push(subscriber.close);
    const shared = { env, outsideUrl: outside.url, subscriberUrl: subscriber.url };
    secure = await makeInstance({ ...shared, name: 'A', publicUrl: 'https://atelier.exemple.test' });
    plain = await makeInstance({ ...shared, name: 'B' });
    const instances = [secure, plain];
    stops.push(() => Promise.all(instances.map((instance) => instance.stop())));
    await Promise.all(instances.map((instance) => instance.start()));

    const sealingKey = services.env.SERVICE_SESSION_SECRET ?? '';
    const cronSecret = services.env.CRON_SECRET ?? '';
    const { cookie, actor } = await signIn(connection, sealingKey);
    const eventsOut = await playEventsOut({
      connection,
      actor,
      sealingKey,
      subscriber,
      instances,
      cronSecret,
      random: random.fork(),
    });
    stops.push(eventsOut.stop);
    const asks: Ask[] = [];
    const ready = await prepare(connection, { instances, cookie, random, asks });
    const until = Date.now() + 600_000;
    const running = closers({ instances, cookie, cronSecret, connection, asks, random: random.fork() });
    stops.push(running.stop);
    const submits: Promise<void>[] = [];
    const kills: string[] = [];
    const cutRows = new Set<string>();
    for (let round = 1; round <= options.rounds; round += 1) {
      const fresh = plan(random, round, options.size, ready, options.isShort ? SHORT_KINDS : KINDS);
      asks.push(...fresh);
      const aim = random.pick(AIMS);
      const nth = 1 + random.below(4);
      const isClosing = aim === 'completed' || aim === 'closed';
      // Jobs that all end at once, when every request has its answer: what is killed are closings, not starts.
      outside.hold(isClosing);
      const own = fresh.map((ask) => submit(ask, { instances, cookie, random: random.fork(), until }));
      submits.push(...own);
      if (isClosing) await Promise.race([Promise.all(own), later(20_000, [])]);
      const hit = aim === 'closed' ? closedJobs(connection, nth) : moment(outside.onMoment, aim, nth);
      outside.hold(false);
      const victimName = await Promise.race([hit, later(6_000, 'B')]);
      await later(random.below(40), '');
      const victims = random.chance(0.6) ? instances : instances.filter(({ name }) => name === victimName);
      await Promise.all(victims.map((victim) => victim.kill()));
      const cut = await cutShort(connection, outside.jobs);
      for (const id of cut) cutRows.add(id);
      const killed = `${victims.map(({ name }) => name).join(' and ')} after « ${aim} »`;
      kills.push(killed);
      say(`round ${round}: killed ${killed}; ${cut.length} finished jobs not yet in the books`);
      await later(random.below(300), '');
      await Promise.all(victims.map((victim) => victim.start()));
    }
    outside.onMoment(undefined);
    await Promise.all(submits);
    const calls = await untilQuiet(connection, running, options.isShort ? 2_500 : 12_000);
    const passes = await sweepAll(connection, instances, cronSecret);
    await eventsOut.stop();
    say(`${await eventsOut.drain()} more passes until every event was delivered`);
    const delivery = await judgeEventsOut(connection, subscriber);
    const store = vercelBlobStore({ token: services.env.BLOB_READ_WRITE_TOKEN ?? '' });
    const verdict = await judge({ connection, store, outside, asks, dataDir: options.dataDir });
    return {
      ...verdict,
      violations: [...verdict.violations, ...delivery.violations],
      delivery: { ...delivery, ...subscriber.counts },
      requests: asks.length,
      sends: asks.reduce((sum, ask) => sum + ask.sends, 0),
      kills,
      cutRows: cutRows.size,
      calls,
      webhooks: outside.webhooks,
      passes,
      seconds: (performance.now() - beganAt) / 1_000,
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** When to kill: a file just handed over, a row just closed, a job just started, an image just made. */
const AIMS = ['completed', 'completed', 'closed', 'closed', 'started', 'image'] as const;

/** Settles right after the nth more job was closed in the books; who closed it is not known, so either instance may die. */
async function closedJobs(connection: Connection, nth: number): Promise<string> {
  const closed = () =>
    connection.db.generation.count({ where: { state: 'COMPLETED', kind: { in: ['VIDEO', 'LIPSYNC'] } } });
  const enough = (await closed()) + nth;
  await waitFor(async () => (await closed()) >= enough, 6_000, 2);
  return nth % 2 === 0 ? 'A' : 'B';
}

const later = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));

/** Settles at the nth such moment, with the name of the instance that it happened to. */
function moment(
  on: (listener: (moment: Moment) => void) => void,
  what: Moment['what'],
  nth: number,
): Promise<string> {
  let left = nth;
  return new Promise((resolve) => {
    on((seen) => {
      if (seen.what !== what) return;
      left -= 1;
      if (left === 0) resolve(seen.instance);
    });
  });
}

async function signIn(connection: Connection, secret: string) {
  const { account, member, actor } = await makeAccount(connection);
  const ctx = testContext(connection, actor);
  await giveCredit(ctx, member.id, 1_000_000_000n);
  const { sessionId } = await openSession(ctx, { accountId: account.id, memberId: member.id });
  return { cookie: await signSessionCookie(sessionId, secret), actor };
}

/** A finished voice and an avatar, for the lipsyncs. */
async function prepare(
  connection: Connection,
  options: Omit<Parameters<typeof submit>[1], 'until'> & { asks: Ask[] },
): Promise<{ id: string; face: string }> {
  const until = Date.now() + 60_000;
  const [voice, image]: [Ask, Ask] = [
    { key: 'chaos-voice', body: { kind: 'voice', text: 'Nos bougies sont coulées à la main.' }, sends: 0 },
    { key: 'chaos-face', body: { kind: 'image', brief: 'Un visage [chaos 0]' }, sends: 0 },
  ];
  options.asks.push(voice, image);
  await Promise.all([voice, image].map((ask) => submit(ask, { ...options, until })));
  const { id: face } = await connection.db.asset.findFirstOrThrow({
    where: { generationId: image.id ?? '' },
  });
  return { id: voice.id ?? '', face };
}

/** Open rows whose finished file the provider had handed over: what a kill cut in the middle of a closing. */
async function cutShort(
  connection: Connection,
  jobs: ReadonlyMap<string, { handed: number }>,
): Promise<string[]> {
  const open = await connection.db.generation.findMany({
    where: { state: { in: ['STARTING', 'SUBMITTED'] } },
    select: { id: true },
  });
  return open.map(({ id }) => id).filter((id) => (jobs.get(id)?.handed ?? 0) > 0);
}

const openRows = (connection: Connection) =>
  connection.db.generation.count({ where: { state: { in: ['STARTING', 'SUBMITTED'] } } });

/** Lets the closers work until no row was closed for a while (a recorded lipsync takes ten seconds): the rest waits for time. */
async function untilQuiet(connection: Connection, running: ReturnType<typeof closers>, quietMs: number) {
  let [last, since] = [-1, performance.now()];
  await waitFor(
    async () => {
      const open = await openRows(connection);
      if (open !== last) [last, since] = [open, performance.now()];
      return open === 0 || performance.now() - since > quietMs;
    },
    120_000,
    100,
  );
  return running.stop();
}

/** Sweeps on both instances at once, each pass twenty minutes later for the rows, until nothing is open. */
async function sweepAll(connection: Connection, instances: Instance[], cronSecret: string): Promise<number> {
  for (let pass = 0; pass < 12; pass += 1) {
    if ((await openRows(connection)) === 0) return pass;
    await connection.pool.query(
      `UPDATE "Generation" SET "createdAt" = "createdAt" - interval '20 minutes', "startedAt" = "startedAt" - interval '20 minutes',
         "deadlineAt" = "deadlineAt" - interval '20 minutes', "dueAt" = now(), "readableAt" = now()
       WHERE "state" IN ('STARTING', 'SUBMITTED')`,
    );
    await Promise.all(
      instances.map(({ url }) =>
        fetch(`${url}/api/cron/generations-sweep`, {
          headers: { authorization: `Bearer ${cronSecret}` },
        }).then((answer) => answer.text()),
      ),
    );
  }
  return 12;
}
