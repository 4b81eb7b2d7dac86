import type { Connection } from '#lib/db/connection.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import { advanceGeneration } from '#lib/studio/lifecycle/advance-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { deliverDue } from '#lib/webhooks/delivery/deliver.ts';
import { followChanges } from './changes.ts';
import { type Door, honestDoor } from './door.ts';
import { faultsAtTheEnd, faultsNow, refusalFaults, type Snapshot } from './faults-found.ts';
import { honestNight, leavingFaults, type Night } from './leaving.ts';
import { monthFaults } from './month-later.ts';
import {
  type Act,
  type Asked,
  type Call,
  drawPlan,
  LIFE_MS,
  MINUTE_MS,
  type Plan,
  type PlanOptions,
} from './plan.ts';
import { putAway } from './put-away.ts';
import { CALM, openScene, type Scene } from './scene.ts';
import { subscriberFaults } from './subscriber-faults.ts';

export type SimulationResult = {
  seed: number;
  /** Rows whose life was simulated: one schedule each. */
  schedules: number;
  /** Each names the request that it is about: `video 3`. */
  violations: string[];
  states: Record<string, number>;
  calls: number;
};

/** The webhook's closer; the proof that the simulation bites puts a broken one here. */
export type Closer = (ctx: StudioContext, generationId: string) => Promise<unknown>;

/** What the proof that the simulation bites puts in the place of the service's own. */
type Broken = { closer?: Closer | undefined; door?: Door | undefined; night?: Night | undefined };

export type SimulationOptions = PlanOptions & Broken;

const honestCloser: Closer = async (ctx, generationId) => {
  const row = await readRow(ctx, generationId);
  if (row?.state === 'SUBMITTED') await advanceGeneration(ctx, row, { type: 'visit' }, 'webhook');
};

/**
 * The scene that a seed decides: accounts whose members and keys ask for generations of every kind, on three instances whose clocks
 * differ; everybody who may end them, what is sent of their ends and what keeps their files, faults and deaths anywhere.
 */
export function simulate(
  connection: Connection,
  seed: number,
  options: SimulationOptions = {},
): Promise<SimulationResult> {
  return play(connection, drawPlan(seed, options), options);
}

/** Plays a plan on a database that no other scene uses, and tells what no rule allows. */
export async function play(
  connection: Connection,
  plan: Plan,
  { closer = honestCloser, door = honestDoor, night = honestNight }: Broken = {},
): Promise<SimulationResult> {
  const { pool } = connection;
  const scene = await openScene(connection, plan, door);
  const changes = followChanges(connection, scene);
  const { clock, accountIds } = scene;
  const violations: string[] = [];
  const closed: Snapshot = new Map();
  const check = async () => {
    violations.push(...(await faultsNow(pool, accountIds, closed)));
  };

  await Promise.all(plan.asked.filter(({ later }) => !later).map((asked) => scene.ask(asked)));
  const startedAt = clock.now().getTime();
  const lastOwn = plan.steps.findLastIndex(({ acts }) => acts.some(needsNoRow));
  for (const [index, { afterMs, acts }] of plan.steps.entries()) {
    clock.advance(afterMs);
    const open = await scene.openRows();
    if (open.size === 0 && index > lastOwn) break;
    // Once every row is over, what is left of a moment is what changes, and what is asked.
    const left = open.size === 0 ? acts.filter(needsNoRow) : acts;
    if (left.length === 0) continue;
    const moment = { open, closer, changes, acts: left, asked: plan.asked };
    await Promise.all(left.map((act) => playAct(scene, act, moment)));
    await changes.look(left);
    await check();
  }
  await scene.quiet();
  clock.set(new Date(startedAt + LIFE_MS - 15 * MINUTE_MS));
  for (let pass = 0; pass < 3; pass += 1) {
    await sweep(scene, CALM);
    await check();
    clock.advance(5 * MINUTE_MS);
  }
  const end = await faultsAtTheEnd(pool, accountIds, scene.store);
  violations.push(...(await refusalFaults(pool, accountIds, scene.outside.paid, end.states)));
  violations.push(...end.faults, ...scene.doublePayments());
  violations.push(...(await changes.faults(end.states)));
  violations.push(...(await subscriberFaults(connection, scene, changes.closed())));
  if (plan.month) violations.push(...(await monthFaults(connection, scene, plan.month, changes.closed())));
  const told = await named(connection, scene, plan, violations);
  // What went wrong before would be told again of what is erased.
  if (plan.leaving && told.length === 0) {
    const left = await leavingFaults(connection, scene, plan.leaving, { closer, door, night });
    told.push(...left.faults);
    if (left.erased > 0) end.states.ERASED = left.erased;
    // What an account has to tell waits while it is closed: opened again, it would tell the next scene's subscribers.
    await putAway(connection);
  }
  return {
    seed: plan.seed,
    schedules: end.rows,
    states: end.states,
    calls: scene.turns.calls,
    violations: told,
  };
}

const needsNoRow = ({ does }: Act) => does === 'change' || does === 'ask';

type Moment = {
  open: ReadonlyMap<number, string>;
  closer: Closer;
  changes: ReturnType<typeof followChanges>;
  /** All that happens together, this act among it. */
  acts: readonly Act[];
  asked: readonly Asked[];
};

function playAct(scene: Scene, act: Act, { open, closer, changes, acts, asked }: Moment): Promise<unknown> {
  if (act.does === 'change') return changes.change(act);
  if (act.does === 'ask') {
    const one = asked.find(({ id }) => id === act.of);
    return one ? changes.ask(one, acts) : Promise.resolve();
  }
  if (act.does === 'sweep' || act.does === 'retention')
    return act.does === 'sweep' ? sweep(scene, act) : scene.retain(act);
  if (act.does === 'send') return scene.run(act, scene.founder, (ctx) => deliverDue(ctx), act);
  const generationId = 'of' in act ? open.get(act.of) : undefined;
  if (generationId === undefined) return Promise.resolve();
  if (act.does === 'callback') return scene.callBack(act, generationId, act.lies);
  if (act.does === 'webhook') return scene.run(act, scene.founder, (ctx) => closer(ctx, generationId));
  return scene.read(act, generationId);
}

function sweep(scene: Scene, act: Call): Promise<unknown> {
  return scene.run(act, scene.founder, (ctx) =>
    sweepGenerations(
      { ...ctx, actor: { type: 'system', job: 'generations-sweep' } },
      { batch: 5, together: 2 },
    ),
  );
}

/** The same violations, each row called by the request that asked for it. */
async function named(
  { pool }: Connection,
  { accountIds }: Scene,
  plan: Plan,
  violations: readonly string[],
): Promise<string[]> {
  if (violations.length === 0) return [];
  const { rows } = await pool.query<{ id: string; key: string }>(
    `SELECT "id", "idempotencyKey" AS key FROM "Generation" WHERE "accountId" = ANY($1)`,
    [accountIds],
  );
  const names = new Map(
    rows.map(({ id, key }) => {
      const asked = plan.asked.find((one) => `request-${one.id}` === key);
      return [id, asked ? `${asked.kind} ${asked.id}` : key];
    }),
  );
  return violations.map((text) => text.replace(/gen_\w+/g, (id) => names.get(id) ?? id));
}
