import type { Connection } from '#lib/db/connection.ts';
import { drawPlan, type Plan } from './plan.ts';
import { emptyDatabase, putAway } from './put-away.ts';
import { describePlan, shrink } from './shrink.ts';
import { play, type SimulationOptions, type SimulationResult, simulate } from './simulate.ts';

export type Totals = {
  scenes: number;
  schedules: number;
  calls: number;
  states: Record<string, number>;
  /** With the seed that gives it again. */
  violations: string[];
  /** Of each seed that was made smaller: what must happen, and nothing else. */
  histories: string[];
  /** The same, as plans that can be played again. */
  smallest: Plan[];
  firstSeed: number;
  lastSeed: number;
};

/** So many scenes that threw are not the scenes' fault: a database that is gone would be asked without end. */
const MAX_THROWN = 50;
/** A database is emptied after so many scenes. */
const SCENES_KEPT = 40;

/**
 * Simulates scenes of successive seeds, one at a time per database, until at least so many schedules were run, or the time is up, or too
 * many scenes threw, or a violation that matches `untilFault` was found. `histories`: of how many seeds that violate a rule the smallest
 * history is looked for. A sweep sees its whole database: that is why two scenes never share one.
 */
export async function runSeeds(
  connections: readonly Connection[],
  options: SimulationOptions & {
    firstSeed: number;
    schedules: number;
    untilMs?: number;
    untilFault?: RegExp;
    histories?: number;
  },
): Promise<Totals> {
  const totals: Totals = {
    scenes: 0,
    schedules: 0,
    calls: 0,
    states: {},
    violations: [],
    histories: [],
    smallest: [],
    firstSeed: options.firstSeed,
    lastSeed: options.firstSeed,
  };
  let seed = options.firstSeed;
  let histories = options.histories ?? 0;
  let thrown = 0;
  const isOver = () =>
    totals.schedules >= options.schedules ||
    thrown >= MAX_THROWN ||
    (options.untilMs !== undefined && Date.now() > options.untilMs) ||
    totals.violations.some((violation) => options.untilFault?.test(violation));
  await Promise.all(
    connections.map(async (connection) => {
      for (let scenes = 1; !isOver(); scenes += 1) {
        const own = seed++;
        const result = await simulate(connection, own, options).catch((error) => {
          thrown += 1;
          return broken(own, error);
        });
        add(totals, result);
        const isWrong = result.violations.length > 0;
        if (isWrong && histories > 0) {
          histories -= 1;
          const plan = drawPlan(own, options);
          const found = await smallestHistory(connection, plan, result.violations, options);
          totals.histories.push(found.text);
          totals.smallest.push(found.plan);
        }
        // A scene that went wrong may have left rows that the next one's sweeps would find.
        if (isWrong) await putAway(connection);
        if (scenes % SCENES_KEPT === 0) await emptyDatabase(connection);
      }
    }),
  );
  return totals;
}

/** The same violation of another row, or of another amount, is the same fault. */
export const faultOf = (violation: string): string =>
  violation.replace(/\b[a-z]{3}_\w+/g, '…').replace(/\d+/g, '…');

/** The smallest history found of a plan in which the first of these violations happens again: the plan, and what happens in words. */
async function smallestHistory(
  connection: Connection,
  whole: Plan,
  violations: readonly string[],
  options: SimulationOptions,
): Promise<{ plan: Plan; text: string }> {
  const [first = ''] = violations;
  let seen = first;
  // What an earlier scene left in the books is there still: it names its rows.
  const known = new Set(violations);
  const isOld = (one: string) => /\b[a-z]{3}_\w{20}/.test(one) && known.has(one);
  const { plan, tried } = await shrink(whole, async (less) => {
    await putAway(connection);
    const result = await play(connection, less, options).catch((error) => broken(whole.seed, error));
    const again = result.violations.find((one) => !isOld(one) && faultOf(one) === faultOf(first));
    for (const one of result.violations) known.add(one);
    seen = again ?? seen;
    return again !== undefined;
  });
  await putAway(connection);
  const lines = [`seed ${whole.seed}: ${seen}`, ...describePlan(plan), `(${tried} shorter histories tried)`];
  return { plan, text: lines.join('\n  ') };
}

/** A scene that threw what no verb may throw: a violation as any other, told with its seed, and no reason to stop the others. */
function broken(seed: number, error: unknown): SimulationResult {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { seed, schedules: 0, violations: [`threw ${told}`], states: {}, calls: 0 };
}

function add(totals: Totals, result: SimulationResult): void {
  totals.scenes += 1;
  totals.schedules += result.schedules;
  totals.calls += result.calls;
  totals.lastSeed = Math.max(totals.lastSeed, result.seed);
  for (const [state, count] of Object.entries(result.states))
    totals.states[state] = (totals.states[state] ?? 0) + count;
  totals.violations.push(...result.violations.map((violation) => `seed ${result.seed}: ${violation}`));
}

/** One line for whoever ran it. */
export function describeTotals(name: string, totals: Totals): string {
  const states = Object.entries(totals.states)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([state, count]) => `${state} ${count}`)
    .join(', ');
  return `${name}: ${totals.schedules} schedules (seeds ${totals.firstSeed} to ${totals.lastSeed}, ${totals.calls} calls), ${totals.violations.length} violations; ${states}`;
}
