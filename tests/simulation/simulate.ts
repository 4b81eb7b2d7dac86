import type { AccountActor } from '#lib/core/actor.ts';
import { type Clock, manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { Connection } from '#lib/db/connection.ts';
import { generationFolder } from '#lib/storage/pathnames.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { advanceGeneration } from '#lib/studio/lifecycle/advance-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { QUOTE_CARD } from '#tests/factories/files/rendered-files.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { type MemoryStore, memoryStore } from '#tests/factories/memory-store.ts';
import { recordedProviders, request, START, TEST_CONFIG } from '#tests/factories/studio.ts';
import { faultsAtTheEnd, faultsNow, refusalFaults, type Snapshot } from './faults-found.ts';
import { type FaultRates, Instance, NO_FAULTS } from './instance.ts';
import { type Outside, outsideProviders, outsideStore } from './outside.ts';
import { type Random, seeded } from './random.ts';
import { Turns } from './turns.ts';

export type SimulationResult = {
  seed: number;
  /** Rows whose life was simulated: one schedule each. */
  schedules: number;
  violations: string[];
  states: Record<string, number>;
  calls: number;
};

/** The webhook's closer; the proof that the simulation bites puts a broken one here. */
export type Closer = (ctx: StudioContext, generationId: string) => Promise<unknown>;

const honestCloser: Closer = async (ctx, generationId) => {
  const row = await readRow(ctx, generationId);
  if (row?.state === 'SUBMITTED') await advanceGeneration(ctx, row, { type: 'visit' }, 'webhook');
};

const MINUTE = 60_000;
const GENERATIONS = 10;
/** Every row must be over by 2 h 15 after the last start. */
const LIFE_MS = 135 * MINUTE;
/** Three instances, and how far each one's clock is from the world's: beyond what a minute tells apart, within what deadlines forgive. */
const SKEWS_MS = [0, 20_000, -20_000];
const FAULTS: FaultRates = { fault: 0.05, death: 0.02 };

const TEMPLATE = findTemplate('quote-card');
const RENDER = {
  kind: 'render',
  template: 'quote-card',
  size: TEMPLATE?.sizes[0]?.id ?? '',
  fields: TEMPLATE ? exampleFields(TEMPLATE) : {},
};
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
const IMAGE = { kind: 'image', brief: 'Une bougie' };

/**
 * One schedule: an account whose members and a key ask for generations of every kind of closing, on three instances whose clocks differ;
 * everybody who may end them, faults and deaths anywhere.
 */
export async function simulate(
  connection: Connection,
  seed: number,
  options: { closer?: Closer; asynchronousOnly?: boolean; synchronousOnly?: boolean } = {},
): Promise<SimulationResult> {
  const random = seeded(seed);
  const clock = manualClock(START);
  const scene = await openScene(connection, random, clock);
  const closer = options.closer ?? honestCloser;
  const violations: string[] = [];
  const closed: Snapshot = new Map();
  const ids: string[] = [];
  const bodies = options.synchronousOnly
    ? [IMAGE]
    : options.asynchronousOnly
      ? [VIDEO, RENDER]
      : [VIDEO, VIDEO, RENDER, IMAGE];
  const submit = () =>
    scene.ask(FAULTS, async (ctx) => {
      const body = request(random.pick(bodies));
      const key = `key_${random.below(1_000_000)}`;
      await submitGeneration(ctx, { request: body, idempotencyKey: key });
      // The client that lost the answer sends the request again.
      if (random.chance(0.2)) await submitGeneration(ctx, { request: body, idempotencyKey: key });
    });
  const check = async () => {
    violations.push(...(await faultsNow(connection.pool, scene.accountId, closed)));
  };

  await Promise.all(Array.from({ length: GENERATIONS }, submit));
  ids.push(...(await scene.openRows()));
  const startedAt = clock.now().getTime();
  const faultsEndAt = startedAt + LIFE_MS - 20 * MINUTE;
  while (clock.now().getTime() < faultsEndAt) {
    const stepMs = random.pick([5_000, 15_000, 3 * MINUTE, 7 * MINUTE, 16 * MINUTE, 40 * MINUTE]);
    clock.advance(Math.min(stepMs, faultsEndAt - clock.now().getTime()));
    const open = await scene.openRows();
    if (open.length === 0) break;
    const acts: Promise<unknown>[] = [];
    for (const id of open) {
      for (let n = random.below(3); n > 0; n -= 1) acts.push(scene.act(FAULTS, (ctx) => closer(ctx, id)));
      for (let n = random.below(3); n > 0; n -= 1)
        acts.push(scene.act(FAULTS, (ctx) => getGeneration(ctx, { generationId: id })));
      acts.push(...scene.runner(id));
    }
    for (let n = random.below(3); n > 0; n -= 1) acts.push(scene.sweep(FAULTS));
    await Promise.all(acts);
    await check();
  }
  await scene.quiet();
  // No more faults: whatever was left is finished by the sweeps of the last half hour.
  clock.set(new Date(startedAt + LIFE_MS - 15 * MINUTE));
  for (let pass = 0; pass < 3; pass += 1) {
    await scene.sweep(NO_FAULTS);
    await check();
    clock.advance(5 * MINUTE);
  }
  const end = await faultsAtTheEnd(connection.pool, scene.accountId, scene.store);
  violations.push(...(await refusalFaults(connection.pool, scene.accountId, scene.paid, end.states)));
  violations.push(...end.faults, ...scene.doublePayments());
  return { seed, schedules: end.rows, violations, states: end.states, calls: scene.turns.calls };
}

async function openScene(connection: Connection, random: Random, clock: ReturnType<typeof manualClock>) {
  const { account, member, actor } = await makeAccount(connection, { now: clock.now() });
  const colleague = await makeMember(connection, account.id, {
    ...{ now: clock.now(), role: 'MEMBER', permissions: ['generate'] },
  });
  const key = await makeKey(connection, member, { now: clock.now(), monthlyCapMicros: 900_000n });
  const askers: AccountActor[] = [actor, memberActor(colleague), key.actor];
  await subscribe(connection, { accountId: account.id, memberId: member.id, at: clock.now() });
  const store: MemoryStore = memoryStore(() => clock.now());
  const outside: Outside = { jobs: new Map(), runs: new Map(), paid: new Map() };
  const turns = new Turns(random.fork());
  const base = recordedProviders(clock);
  const log = createLogger({ write: () => {}, now: () => clock.now() });
  const plain = {
    actor,
    db: connection.db,
    kysely: connection.kysely,
    clock,
    log,
    requestId: 'req_sim',
  };
  await giveCredit(plain, member.id, 1_000_000_000n);
  // A little more than one video, and no single picture of it above its cap: some of its requests are refused.
  await giveCredit(plain, colleague.id, 800_000n, { monthlyCapMicros: 700_000n });
  const clocks: Clock[] = SKEWS_MS.map((skewMs) => ({
    ...clock,
    now: () => new Date(clock.now().getTime() + skewMs),
  }));

  const contextOf = (instance: Instance, asker: AccountActor, at: Clock): StudioContext<AccountActor> => ({
    ...plain,
    actor: asker,
    clock: at,
    kysely: instance.queries(connection.pool),
    studio: {
      providers: outsideProviders(base, outside, instance, random.fork(), clock as Clock),
      store: outsideStore(store, instance),
      fetch: () => Promise.reject(new FetchRefusal('host-not-allowed')),
      config: TEST_CONFIG,
      mailSpendAlert: async () => {},
    },
  });
  type Operation<T> = (ctx: StudioContext<AccountActor>) => Promise<T>;
  const run = <T>(rates: FaultRates, asker: AccountActor, operation: Operation<T>) => {
    const instance = new Instance(turns, random.fork(), rates);
    const at = random.pick(clocks);
    return instance.run(() => operation(contextOf(instance, asker, at)));
  };
  const act = <T>(rates: FaultRates, operation: Operation<T>) => run(rates, actor, operation);
  return {
    accountId: account.id,
    store,
    paid: outside.paid,
    turns,
    act,
    /** The same, by one of those who may ask for something. */
    ask: <T>(rates: FaultRates, operation: Operation<T>) => run(rates, random.pick(askers), operation),
    sweep: (rates: FaultRates) =>
      act(rates, (ctx) =>
        sweepGenerations(
          { ...ctx, actor: { type: 'system', job: 'generations-sweep' } },
          { batch: 5, together: 2 },
        ),
      ),
    /** The server has noticed every dead process: what they had begun is rolled back. */
    async quiet(): Promise<void> {
      for (;;) {
        const { rows } = await connection.pool.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
        );
        if (rows.length === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    async openRows(): Promise<string[]> {
      const { rows } = await connection.pool.query<{ id: string }>(
        `SELECT "id" FROM "Generation" WHERE "accountId" = $1 AND "state" IN ('STARTING', 'SUBMITTED') ORDER BY "id"`,
        [account.id],
      );
      return rows.map(({ id }) => id);
    },
    /** The outside runner: publishes, calls back, sometimes twice, sometimes with two verdicts. */
    runner(generationId: string): Promise<unknown>[] {
      const run = outside.runs.get(`run_${generationId}`);
      if (!run || run.ends === 'vanished' || run.ends === 'blackout' || clock.now().getTime() < run.readyAt)
        return [];
      if (random.chance(0.3)) return [];
      const pathname = `${generationFolder(generationId)}${QUOTE_CARD.name}`;
      const report = (status: 'success' | 'failure') => ({
        generationId,
        runId: run.id,
        status,
        files: run.ends === 'success' ? [{ pathname }] : [],
        durationMs: 90_000,
      });
      const status = run.ends === 'failure' ? 'failure' : 'success';
      const call = (verdict: 'success' | 'failure') =>
        act(FAULTS, async (ctx) => {
          if (run.ends === 'success')
            await ctx.studio.store?.put(pathname, QUOTE_CARD.bytes, { contentType: 'image/png' });
          await handleRenderCallback(ctx, report(verdict));
        });
      const calls: Promise<unknown>[] = [call(status)];
      if (random.chance(0.4)) calls.push(act(FAULTS, (ctx) => handleRenderCallback(ctx, report(status))));
      if (random.chance(0.2)) calls.push(act(FAULTS, (ctx) => handleRenderCallback(ctx, report('failure'))));
      return calls;
    },
    doublePayments(): string[] {
      return [...outside.paid]
        .filter(([, calls]) => calls > 1)
        .map(([id, calls]) => `${id}: the provider was called ${calls} times`);
    },
  };
}

/** An endpoint that is told of every end; what it is told is counted in the database, nobody sends it. */
async function subscribe(
  { db }: Connection,
  { accountId, memberId, at }: { accountId: string; memberId: string; at: Date },
): Promise<void> {
  await db.webhookEndpoint.create({
    data: {
      ...{ id: createId('webhookEndpoint', at), accountId, createdById: memberId },
      ...{ url: 'https://exemple.test/evenements', events: ['generation.closed'] },
      ...{ secret: new Uint8Array(1), createdAt: at, updatedAt: at },
    },
  });
}
