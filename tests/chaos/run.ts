import path from 'node:path';
import { readCount, readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

// npm run chaos [-- --rounds 8 --size 16 --seed 42]: real servers killed with kill -9 in the middle of closings, restarted and swept, then
// rows, books, files and the provider's account are compared. On data of its own, thrown away. Exit 1 when anything is not as it must be.
const { values } = readOptions('npm run chaos -- [--rounds 8] [--size 16] [--seed N]', {
  options: {
    rounds: { type: 'string', default: '8' },
    size: { type: 'string', default: '16' },
    seed: { type: 'string' },
  },
});
const rounds = readCount('rounds', values.rounds);
const size = readCount('size', values.size);
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : readCount('seed', values.seed, 0);
console.log(`seed ${seed}`);
// Loaded once the options are right: it brings the whole service.
const { playChaos } = await import('./play.ts');
const report = await playChaos({
  seed,
  rounds,
  size,
  dataDir: path.join(repositoryRoot, '.tmp', 'chaos', 'data'),
  say: console.log,
});
const list = (map: Map<string, number>) =>
  [...map]
    .sort()
    .map(([name, times]) => `${times} × ${name}`)
    .join(', ');
console.log(`requests      ${report.requests}, sent ${report.sends} times until each was answered`);
console.log(
  `kills         ${report.kills.length} (kill -9); ${report.cutRows} closings cut between the provider’s answer and the books`,
);
console.log(
  `calls         ${report.calls.reads} reads, ${report.calls.sweeps} sweeps, ${report.calls.cut} cut; ${report.webhooks.accepted} webhooks accepted of ${report.webhooks.sent} sent`,
);
console.log(`rows          ${list(report.rows)}`);
console.log(`closed by     ${list(report.closedBy)}; ${report.passes} later passes until nothing was open`);
console.log(`files         ${report.filesRead} of completed rows read back whole`);
console.log(`jobs          ${report.deliveredJobs} that the provider finished, delivered and settled`);
console.log(`house         ${report.lostToTheHouse} jobs that the provider finished, refunded to the member`);
console.log(
  `events        ${report.delivery.events} events to two addresses, ${report.delivery.taken} taken, ${report.delivery.duplicates} of them again; ${report.delivery.refused} refused, ${report.delivery.hung} hung, ${report.delivery.deaths} deaths of the subscriber`,
);
for (const violation of report.violations) console.log(`✗ ${violation}`);
console.log(`seed ${seed}: ${report.violations.length} violations, ${Math.round(report.seconds)} s`);
process.exit(report.violations.length === 0 ? 0 : 1);
