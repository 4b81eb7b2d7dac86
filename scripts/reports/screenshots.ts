import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { keepBrowser } from '#tests/e2e/setup/launch.ts';
import { allPages } from '#tests/e2e/setup/pages/all.ts';
import type { ShownPage } from '#tests/e2e/setup/pages/brain.ts';
import { openScenes } from '#tests/e2e/setup/scenes/brain.ts';
import { serveApp } from '#tests/e2e/setup/serve.ts';

// npm run screenshots -- [part of a name…] [--widths 390,1440] [--themes light]: every page of the lists of tests/e2e/setup/pages*.ts,
// in each width and theme, into tests/e2e/screenshots (not committed). Errors of the console are printed.
const { values, positionals } = readOptions(
  'npm run screenshots -- [part of a name…] [--widths 390,1024,1440] [--themes light,dark]',
  {
    allowPositionals: true,
    options: {
      widths: { type: 'string', default: '390,1024,1440' },
      themes: { type: 'string', default: 'light,dark' },
    },
  },
);
const folder = path.join(repositoryRoot, 'tests/e2e/screenshots');
if (positionals.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

const app = await serveApp();
const scenes = await openScenes(app);
const browser = keepBrowser();
try {
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
  const demo = {
    name: sessionCookieName(false),
    value: await signSessionCookie(app.demo?.sessionId ?? '', secret),
  };
  const all = await allPages(app, scenes, demo);
  const wanted = all.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  for (const theme of values.themes.split(','))
    for (const width of values.widths.split(',').map(Number)) {
      for (const shown of wanted) await take(shown, theme, width);
      console.log(`${wanted.length} pages, ${width} px, ${theme}`);
    }
} finally {
  for (const death of await browser.takeDeaths()) console.error(`The browser died: ${death}`);
  await browser.close();
  await scenes.close();
  await app.stop();
}

async function take(shown: ShownPage, theme: string, width: number): Promise<void> {
  const context = await (await browser.get()).newContext({
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    baseURL: app.baseUrl,
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    viewport: { width, height: width < 600 ? 844 : 900 },
    hasTouch: width < 600,
    reducedMotion: 'reduce',
  });
  if (shown.cookie) await context.addCookies([{ ...shown.cookie, url: app.baseUrl }]);
  const page = await context.newPage();
  const name = `${shown.name}-${width}-${theme}`;
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(`${name}: ${message.text()}`);
  });
  page.on('pageerror', (error) => console.error(`${name}: ${error}`));
  await page.goto(shown.path, { waitUntil: 'networkidle' });
  await shown.prepare?.(page);
  await page.waitForTimeout(shown.prepare ? 500 : 50);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) console.error(`${name}: the page is ${wide} px too wide`);
  // A dialog is as high as the screen; a page is taken whole, up to a reasonable height.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, 2_400) };
  await page.screenshot({
    path: path.join(folder, `${name}.png`),
    ...(shown.prepare ? {} : { fullPage: true, clip }),
  });
  await context.close();
}
