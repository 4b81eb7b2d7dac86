import type { BrowserContext, Page } from 'playwright';
import { readCount, readOptions } from '#lib/local/options.ts';
import { cookieOf } from '#tests/e2e/setup/account.ts';
import { keepBrowser } from '#tests/e2e/setup/launch.ts';
import { openScenes, type Seat } from '#tests/e2e/setup/scenes/brain.ts';
import { furnish } from '#tests/e2e/setup/scenes/desk.ts';
import { serveApp } from '#tests/e2e/setup/serve.ts';
import { type Figures, installProbe, type Probe, type Sight } from './vitals-probe.ts';

// npm run vitals -- [--rounds 5]: Chromium at 1440 pixels on the real build. First visits of pages (empty cache): LCP, its ratio to the
// sign-in page's, CLS, scripts and fonts that arrived; the same over a line; then gestures: how long after the press what it asks for is
// drawn. Medians of the rounds, which take turns; figures belong to the machine, ratios and medians are what to read.
const { values } = readOptions('npm run vitals -- [--rounds 5]', {
  options: { rounds: { type: 'string', default: '5' } },
});
const rounds = readCount('rounds', values.rounds);

/** Lighthouse's line of a desktop: without one, what the browser's own processor takes is all that there is. */
const LINE = {
  latency: 40,
  downloadThroughput: (10 * 1024 * 1024) / 8,
  uploadThroughput: (10 * 1024 * 1024) / 8,
};

declare const vitalsProbe: Probe;

const app = await serveApp();
const scenes = await openScenes(app);
const browser = keepBrowser();
const taken = new Map<string, number[]>();
const note = (name: string, value: number) => taken.set(name, [...(taken.get(name) ?? []), value]);
const interactionsMs: number[] = [];
try {
  const demo = await cookieOf(app);
  const busy = await scenes.seat();
  await furnish(scenes.reached, { accountId: busy.accountId, memberId: busy.ctx.actor.memberId });
  const rows = await busy.ctx.db.generation.findMany({
    where: { accountId: busy.accountId },
    orderBy: { createdAt: 'desc' },
    take: 2,
  });
  const space = `/espaces/${app.demo?.spaceId}`;
  const row = `/journal/${rows[0]?.id}`;
  const pages: [string, string, Seat['cookie']?][] = [
    ['connexion', '/connexion'],
    ['espaces', '/espaces', demo],
    ['espace', space, demo],
    ['recherche', '/recherche?q=lampe', demo],
    ['contexte', '/contexte', demo],
    ['créer', '/creer', demo],
    ['journal', '/journal', busy.cookie],
    ['ligne du journal', row, busy.cookie],
    ['portefeuille', '/portefeuille', busy.cookie],
    ['équipe', '/equipe', demo],
  ];
  for (let round = 0; round < rounds; round++) {
    // The sign-in page before each of the others: both sides of a ratio are measured at the same moment, as often.
    for (const [name, path, cookie] of pages)
      for (const line of [undefined, LINE]) {
        const suffix = line ? ' over a line' : '';
        if (name !== 'connexion') await visit(`connexion${suffix}`, '/connexion', undefined, line);
        await visit(`${name}${suffix}`, path, cookie, line);
      }
    await gestures(space, row, demo, busy.cookie);
    console.log(`round ${round + 1} of ${rounds}`);
  }
  const signIn = median('connexion LCP');
  const signInOverLine = median('connexion over a line LCP');
  console.table(
    Object.fromEntries(
      pages.map(([name]) => [
        name,
        {
          'LCP ms': Math.round(median(`${name} LCP`)),
          '÷ connexion': round2(median(`${name} LCP`) / signIn),
          'over a line ms': Math.round(median(`${name} over a line LCP`)),
          '÷ connexion there': round2(median(`${name} over a line LCP`) / signInOverLine),
          CLS: round2(median(`${name} CLS`)),
          'scripts KiB': Math.round(median(`${name} scripts`)),
          'fonts KiB': Math.round(median(`${name} fonts`)),
        },
      ]),
    ),
  );
  const actions = [...taken.keys()].filter((name) => name.includes(':'));
  console.table(
    Object.fromEntries(
      actions.map((name) => [
        name,
        { 'seen ms': Math.round(median(name)), worst: Math.round(Math.max(...(taken.get(name) ?? []))) },
      ]),
    ),
  );
  const sorted = interactionsMs.sort((a, b) => a - b);
  console.log(
    `INP: ${sorted.at(Math.floor(sorted.length * 0.98))} ms (98th of 100) of ${sorted.length} interactions over 16 ms; worst ${sorted.at(-1)} ms.`,
  );
} finally {
  await browser.close();
  await scenes.close();
  await app.stop();
}

async function open(
  cookie: Seat['cookie'] | undefined,
  path: string,
  line?: typeof LINE,
): Promise<[Page, BrowserContext]> {
  const context = await (await browser.get()).newContext({
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    baseURL: app.baseUrl,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  if (cookie) await context.addCookies([{ ...cookie, url: app.baseUrl }]);
  await context.addInitScript(installProbe);
  const page = await context.newPage();
  if (line) {
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', { offline: false, ...line });
  }
  await page.goto(path, { waitUntil: 'networkidle' });
  return [page, context];
}

async function visit(
  name: string,
  path: string,
  cookie: Seat['cookie'] | undefined,
  line?: typeof LINE,
): Promise<void> {
  const [page, context] = await open(cookie, path, line);
  const { lcpMs, cls, scripts, fonts } = await page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const kib = (end: string) =>
      files
        .filter((file) => file.name.split('?')[0]?.endsWith(end))
        .reduce((sum, file) => sum + file.encodedBodySize, 0) / 1024;
    return { ...vitalsProbe.figures(), scripts: kib('.js'), fonts: kib('.woff2') };
  });
  note(`${name} LCP`, lcpMs);
  note(`${name} CLS`, cls);
  note(`${name} scripts`, scripts);
  note(`${name} fonts`, fonts);
  await context.close();
}

/** A gesture, and when what it asks for is drawn. */
async function timed(page: Page, name: string, sight: Sight, gesture: () => Promise<unknown>): Promise<void> {
  const watch = await page.evaluate((wanted) => vitalsProbe.expect(wanted), sight);
  await gesture();
  note(name, await page.evaluate((at) => vitalsProbe.seen(at), watch));
}

async function typed(page: Page, name: string, field: ReturnType<Page['locator']>): Promise<void> {
  await field.click();
  const before = (await figures(page)).keysMs.length;
  await field.pressSequentially(' une lampe posée sur la table', { delay: 40 });
  for (const ms of (await figures(page)).keysMs.slice(before)) note(name, ms);
}

function figures(page: Page): Promise<Figures> {
  return page.evaluate(() => vitalsProbe.figures());
}

async function gestures(
  space: string,
  row: string,
  demo: Seat['cookie'],
  busy: Seat['cookie'],
): Promise<void> {
  const [page, context] = await open(demo, '/espaces');
  for (const label of ['Recherche', 'Contexte', 'Créer', 'Journal', 'Portefeuille', 'Équipe', 'Espaces']) {
    const link = page.getByRole('navigation', { name: 'Navigation principale' }).first();
    const old = await page.locator('main h1').first().textContent();
    await page
      .locator('main h1')
      .first()
      .evaluate((one) => one.setAttribute('data-former', ''));
    const left = await page.evaluate(() => vitalsProbe.expect({ gone: 'main h1[data-former]' }));
    await timed(
      page,
      `rail: ${label}, whole`,
      { selector: 'main h1', text: label, gone: 'main h1[data-former]' },
      () => link.getByRole('link', { name: label, exact: true }).click(),
    );
    note(
      `rail: ${label}, first sight (from ${old})`,
      await page.evaluate((at) => vitalsProbe.seen(at), left),
    );
    await page.waitForLoadState('networkidle');
  }
  await page.goto(space, { waitUntil: 'networkidle' });
  await page.locator('[data-row]').first().hover();
  await page.waitForTimeout(400);
  await timed(page, 'Space: open a Memory', { selector: '[data-panel] textarea' }, () =>
    page.locator('[data-row]').first().click(),
  );
  await page.waitForLoadState('networkidle');
  await typed(page, 'Memory: a key in the editor', page.locator('[data-panel] textarea').first());
  interactionsMs.push(...(await figures(page)).interactionsMs);
  await page.goto('/creer', { waitUntil: 'networkidle' });
  await typed(page, 'Composer: a key in the request', page.getByLabel('Demande', { exact: true }));
  await timed(
    page,
    'Composer: another kind',
    { selector: 'form[data-composer] select', text: 'Voix par défaut' },
    () => page.getByRole('radio', { name: 'Voix' }).check({ force: true }),
  );
  interactionsMs.push(...(await figures(page)).interactionsMs);
  await page.goto('/recherche', { waitUntil: 'networkidle' });
  await page.locator('[data-search]').click();
  await timed(page, 'Search: results after the last key', { selector: 'main mark' }, () =>
    page.locator('[data-search]').pressSequentially('lampe', { delay: 60 }),
  );
  await timed(page, '⌘K: open', { selector: '[cmdk-input]' }, () => page.keyboard.press('Control+k'));
  await timed(page, '⌘K: results after the last key', { selector: '[data-answers="bougie"]' }, () =>
    page.locator('[cmdk-input]').pressSequentially('bougie', { delay: 60 }),
  );
  interactionsMs.push(...(await figures(page)).interactionsMs);
  await context.close();
  const [detail, other] = await open(busy, row);
  const older = await detail.getByRole('link', { name: 'Génération suivante' }).getAttribute('href');
  const arrived = { path: new URL(older ?? '', app.baseUrl).pathname, selector: 'main h1' };
  await timed(detail, 'Journal: next (J)', arrived, () => detail.keyboard.press('j'));
  await detail.waitForLoadState('networkidle');
  await timed(detail, 'Journal: previous (K)', { path: row, selector: 'main h1' }, () =>
    detail.keyboard.press('k'),
  );
  interactionsMs.push(...(await figures(detail)).interactionsMs);
  await other.close();
}

function median(name: string): number {
  const list = (taken.get(name) ?? []).toSorted((a, b) => a - b);
  return list[Math.floor(list.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
