import path from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '#lib/local/paths.ts';
import { playChaos } from '#tests/chaos/play.ts';

it('servers killed with kill -9 in the middle of closings, restarted and swept leave exact books, whole files and no start paid twice', async () => {
  process.env.SERVICE_BUILD_DIR = '.tmp/next';
  const said: string[] = [];
  const seed = Math.floor(Math.random() * 1e9);
  const report = await playChaos({
    seed,
    rounds: 2,
    size: 8,
    isShort: true,
    dataDir: path.join(testFolder(), `chaos-${process.pid}`),
    say: (line) => said.push(line),
  });
  expect(report.violations, `npm run chaos, seed ${seed}\n${said.join('\n')}`).toEqual([]);
  expect(report.kills).toHaveLength(2);
  expect(report.requests).toBe(18);
  expect(report.filesRead).toBeGreaterThan(0);
  // Some finished jobs were delivered: a ledger with refunds only would balance too.
  expect(report.deliveredJobs).toBeGreaterThan(0);
  // The subscriber refused, hung and died: each event still arrived, in order, and repeated ones were marked.
  expect(report.delivery.events).toBeGreaterThan(report.requests);
  expect(report.delivery.refused + report.delivery.hung + report.delivery.deaths).toBeGreaterThan(0);
});
