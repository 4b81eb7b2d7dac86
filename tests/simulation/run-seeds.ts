import type { Connection } from '#lib/db/connection.ts';
import { type SimulationResult, simulate } from './simulate.ts';

export type Totals = {
  scenes: number;
  schedules: number;
  calls: number;
  states: Record<string, number>;
  /** With the seed that gives it again. */
  violations: string[];
  firstSeed: number;
  lastSeed: number;
};

/**
 * Simulates scenes of successive seeds, one at a time per database, until at least so many schedules were run, or the time is up, or a
 * violation that matches `untilFault` was found.
 * A sweep sees its whole database: that is why two scenes never share one.
 */
export async function runSeeds(
  connections: readonly Connection[],
  options: Parameters<typeof simulate>[2] & {
    firstSeed: number;
    schedules: number;
    untilMs?: number;
    untilFault?: RegExp;
  },
): Promise<Totals> {
  const totals: Totals = {
    scenes: 0,
    schedules: 0,
    calls: 0,
    states: {},
    violations: [],
    firstSeed: options.firstSeed,
    lastSeed: options.firstSeed,
  };
  let seed = options.firstSeed;
  const isOver = () =>
    totals.schedules >= options.schedules ||
    (options.untilMs !== undefined && Date.now() > options.untilMs) ||
    totals.violations.some((violation) => options.untilFault?.test(violation));
  await Promise.all(
    connections.map(async (connection) => {
      while (!isOver()) {
        const own = seed++;
        add(totals, await simulate(connection, own, options).catch((error) => broken(own, error)));
      }
    }),
  );
  return totals;
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
