import { cookieOf } from '#tests/e2e/setup/account.ts';
import { kib, LIMITS, pageScales, tooHeavy } from '#tests/e2e/setup/page-weight.ts';
import { allPages } from '#tests/e2e/setup/pages/all.ts';
import type { ShownPage } from '#tests/e2e/setup/pages/brain.ts';
import { openScenes } from '#tests/e2e/setup/scenes/brain.ts';
import { serveApp } from '#tests/e2e/setup/serve.ts';

// npm run weight: what a first visit of every page of tests/e2e/setup/pages/all.ts loads, from the real build: scripts (gzip), fonts and
// HTML (as sent, and gzip). Exit code 1 when a page passes a limit (tests/e2e/setup/page-weight.ts), or does not answer as it should.
const app = await serveApp();
const scenes = await openScenes(app);
try {
  const demo = await cookieOf(app);
  const crowd = await scenes.seat();
  const crowdSpace = await scenes.crowd(crowd, 'Foule', 2_000);
  const pages: ShownPage[] = [
    ...(await allPages(app, scenes, demo)),
    { name: 'espace-2000', path: `/espaces/${crowdSpace}`, cookie: crowd.cookie },
    { name: 'contexte-2000', path: '/contexte?max=200000', cookie: crowd.cookie },
  ];
  const weigh = pageScales(app.baseUrl);
  const rows: Record<string, Record<string, string | number>> = {};
  const faults: string[] = [];
  for (const { name, path, cookie, status = 200 } of pages) {
    const weight = await weigh(path, cookie);
    if (weight.status !== status) faults.push(`${name}: ${path} answers ${weight.status}, not ${status}`);
    faults.push(...tooHeavy(weight).map((fault) => `${name}: ${fault}`));
    rows[name] = {
      path: path.length > 44 ? `${path.slice(0, 43)}…` : path,
      'scripts KiB (gzip)': kib(weight.scripts),
      files: weight.files,
      'fonts KiB': kib(weight.fonts),
      'HTML KiB': kib(weight.html),
      'HTML KiB (gzip)': kib(weight.htmlGzip),
      ms: weight.ms,
    };
  }
  console.table(rows);
  const { scripts, fonts, html } = LIMITS;
  console.log(`Limits: ${kib(scripts)} KiB of scripts, ${kib(fonts)} of fonts, ${kib(html)} of HTML.`);
  for (const fault of faults) console.error(`✗ ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await scenes.close();
  await app.stop();
}
