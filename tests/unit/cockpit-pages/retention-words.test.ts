import { expect, test } from 'vitest';
import { runParts, wayOut } from '#app/(cockpit)/exploitation/words.ts';
import type { JobRun } from '#lib/studio/operations/list-runs.ts';

const run = (report: JobRun['report']): JobRun => ({
  id: 'run',
  job: 'retention',
  startedAt: new Date('2026-11-26T03:40:00Z'),
  finishedAt: new Date('2026-11-26T03:41:00Z'),
  complete: false,
  report,
});

test('a retention that the mark of the store stops says what it left, and by which command it goes on', () => {
  for (const report of [{ withheld: 'copy' }, { orphansRefused: true }]) {
    expect(runParts(run(report)).map(({ tone }) => tone)).toEqual(['warn']);
    expect(wayOut(run(report))).toEqual({
      when: expect.stringMatching(/^Si /),
      command: 'npm run admin -- retention --own-store',
    });
  }
});

test('one that goes on by itself asks for nothing', () => {
  for (const report of [{}, { withheld: 'marked' }, { uploads: 2 }]) expect(wayOut(run(report))).toBeNull();
});
