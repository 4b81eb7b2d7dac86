import { expect, it } from 'vitest';
import { useTestService } from '#tests/setup/service.ts';
import { brokenCloser } from '#tests/simulation/broken-closer.ts';
import { drawPlan, type Plan } from '#tests/simulation/plan.ts';
import { smallestHistory } from '#tests/simulation/run-seeds.ts';
import { play } from '#tests/simulation/simulate.ts';

const service = useTestService({ poolMax: 16 });
/** Two closers that were told two figures: one is on the row, the other was debited. */
const CAUGHT = /COMPLETED: cost \d+, debited \d+/;

/** The videos of the first seed in which a closer that looks before it acts meets another one. */
function someVideos(seed: number): Plan {
  const plan = drawPlan(seed, { asynchronousOnly: true });
  const asked = plan.asked
    .filter(({ kind, fate }) => kind === 'video' && fate.start === 'taken' && fate.ends === 'completed')
    .slice(0, 3)
    .map((one) => ({ ...one, account: 0, by: 'founder' as const }));
  const steps = plan.steps.map(({ afterMs, acts }) => ({
    afterMs,
    acts: acts.filter((act) => 'of' in act && asked.some(({ id }) => id === act.of)),
  }));
  return { ...plan, accounts: 1, asked, steps, month: null };
}

it('a planted violation is told with its seed and the few events that it takes', async () => {
  const { connection } = service;
  let found: { plan: Plan; violations: string[] } | undefined;
  for (let seed = 1; seed < 30 && !found; seed += 1) {
    const plan = someVideos(seed);
    const { violations } = await play(connection, plan, brokenCloser);
    if (violations.some((one) => CAUGHT.test(one))) found = { plan, violations };
  }
  if (!found) throw new Error('no scene of thirty shows the broken closer');
  const { plan, violations } = found;
  const wrong = violations.filter((one) => CAUGHT.test(one));
  const history = await smallestHistory(connection, plan, wrong, brokenCloser);
  expect(history.text).toMatch(
    new RegExp(`^seed ${plan.seed}: VIDEO video \\d+ COMPLETED: cost \\d+, debited \\d+`),
  );
  expect(history.plan.asked).toHaveLength(1);
  // Two that close the same row, and at most one more.
  const acts = history.plan.steps.flatMap((step) => step.acts);
  expect(acts.length).toBeLessThanOrEqual(3);
  expect(acts.map(({ does }) => does)).toContain('webhook');
  // What is left does without the broken closer: an honest one keeps every rule in it.
  expect((await play(connection, history.plan)).violations).toEqual([]);
});
