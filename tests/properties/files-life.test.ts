import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeepReason, keepReason } from '#lib/storage/keep-reason.ts';
import { useTestService } from '#tests/setup/service.ts';
import { histories } from '#tests/simulation/files/history.ts';
import { noTotals, type Sabotage } from '#tests/simulation/files/judge.ts';
import { simulate } from '#tests/simulation/files/simulate.ts';

const service = useTestService();

/** `FILES_SCHEDULES=2000` plays as many histories; `FILES_SEED` plays the same ones again. */
const SCHEDULES = Number(process.env.FILES_SCHEDULES ?? 60);
const seed = process.env.FILES_SEED ? { seed: Number(process.env.FILES_SEED) } : {};

describe('the life of files', () => {
  it(
    'in any history: nothing that somebody keeps is deleted, everything else goes, the books never change',
    async () => {
      const totals = noTotals();
      const started = performance.now();
      await fc.assert(
        fc.asyncProperty(histories, async (steps) => {
          expect(await simulate(service, steps, totals)).toEqual([]);
        }),
        { numRuns: SCHEDULES, endOnFailure: true, ...seed },
      );
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        `files: ${totals.schedules} histories, ${totals.steps} steps, ${totals.passes} passes, ` +
          `${totals.deaths} cut, ${totals.deleted} files deleted, at most ${totals.longest} calls in a pass, 0 violations, ${seconds} s`,
      );
      expect(totals.deaths).toBeGreaterThan(0);
    },
    600_000 + SCHEDULES * 10_000,
  );

  const forgetting = (reason: KeepReason): Sabotage => ({
    rule: (facts, now) => {
      const kept = keepReason(facts, now);
      return kept === reason ? null : kept;
    },
  });
  // The last column is the seed of a history that was seen to catch it: tried first, so that the search for another one is rarely needed.
  const broken: [string, Sabotage, RegExp, number][] = [
    ['that forgets avatars', forgetting('avatar'), /rule 2 keeps it|kept/, 1],
    ['that forgets lessons', forgetting('learning'), /rule 2 keeps it|kept/, 2],
    ['that forgets concepts', forgetting('concept'), /rule 2 keeps it|kept/, 26],
    ['that forgets lineages', forgetting('lineage'), /rule 2 keeps it|kept/, 3],
    ['that forgets running generations', forgetting('in-flight'), /rule 2 keeps it|kept/, 1],
    ['that forgets siblings', forgetting('sibling'), /rule 2 keeps it|kept/, 13],
    ['that forgets the former application', forgetting('foreign-store'), /rule 2 keeps it|kept/, 1],
    ['that keeps everything', { rule: () => 'recent' }, /still there/, 1],
    ['under a store that ignores ETags', { ignoresEtags: true }, /although it changed/, 7],
  ];
  it.each(broken)(
    'a rule %s is caught',
    async (_, sabotage, told, known) => {
      const totals = noTotals();
      const examples = fc
        .sample(histories, { seed: known, numRuns: 1 })
        .map((steps): [typeof steps] => [steps]);
      const faults: string[] = [];
      await fc
        .assert(
          fc.asyncProperty(histories, async (steps) => {
            faults.push(...(await simulate(service, steps, totals, sabotage)));
            return faults.length === 0;
          }),
          { numRuns: 400, seed: 20_261_121, examples, endOnFailure: true },
        )
        .then(
          () => expect.unreachable(`not caught in ${totals.schedules} histories`),
          () => expect(faults.join('\n')).toMatch(told),
        );
    },
    600_000,
  );
});
