import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { cookieOf } from '#tests/e2e/setup/account.ts';
import { faults } from '#tests/e2e/setup/faults.ts';
import { keepBrowser } from '#tests/e2e/setup/launch.ts';
import { allPages } from '#tests/e2e/setup/pages/all.ts';
import type { ShownPage } from '#tests/e2e/setup/pages/brain.ts';
import { openScenes } from '#tests/e2e/setup/scenes/brain.ts';
import { serveApp } from '#tests/e2e/setup/serve.ts';

// npm run screenshots -- [part of a name…] [--widths 390,1440] [--themes light,forced] [--axe]: every page of the lists of tests/e2e/setup/pages,
// in each width and theme (`forced`: the reader's own colours; `contrast`: more of it), into tests/e2e/screenshots (not committed). Errors of the console are printed. With `--axe`, so is all that axe
// finds, and the exit code is 1 when it finds anything.
const { values, positionals } = readOptions(
  'npm run screenshots -- [part of a name…] [--widths 390,1024,1440] [--themes light,dark,forced,contrast] [--axe]',
  {
    allowPositionals: true,
    options: {
      widths: { type: 'string', default: '390,1024,1440' },
      themes: { type: 'string', default: 'light,dark' },
      axe: { type: 'boolean', default: false },
    },
  },
);
const THEMES = ['light', 'dark', 'forced', 'contrast'];
const themes = values.themes.split(',');
const unknown = themes.filter((theme) => !THEMES.includes(theme));
if (unknown.length > 0) {
  console.error(`No theme is named ${unknown.join(', ')}. There are ${THEMES.join(', ')}.`);
  process.exit(2);
}
const folder = path.join(repositoryRoot, 'tests/e2e/screenshots');
if (positionals.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

let found = 0;
const app = await serveApp();
const scenes = await openScenes(app);
const browser = keepBrowser();
try {
  const demo = await cookieOf(app);
  const all = await allPages(app, scenes, demo);
  const wanted = all.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  if (wanted.length === 0) {
    console.error(`No page is named so. There are ${all.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 2;
  }
  for (const width of values.widths.split(',').map(Number)) {
    for (const shown of wanted)
      await take(shown, themes, width).catch((error: unknown) => {
        console.error(`${shown.name}-${width}: ${error}`);
        process.exitCode = 1;
      });
    console.log(`${wanted.length} pages, ${width} px, ${themes.join(' and ')}`);
  }
  if (values.axe) console.log(`axe: ${found} finding${found === 1 ? '' : 's'}`);
  if (found > 0) process.exitCode = 1;
} finally {
  for (const death of await browser.takeDeaths()) console.error(`The browser died: ${death}`);
  await browser.close();
  await scenes.close();
  await app.stop();
}

/** One page in one width, drawn once: a theme is only other colours. */
async function take(shown: ShownPage, themes: string[], width: number): Promise<void> {
  await using context = await (await browser.get()).newContext({
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    baseURL: app.baseUrl,
    viewport: { width, height: width < 600 ? 844 : 900 },
    hasTouch: width < 600,
    reducedMotion: 'reduce',
  });
  if (shown.cookie) await context.addCookies([{ ...shown.cookie, url: app.baseUrl }]);
  const page = await context.newPage();
  let name = `${shown.name}-${width}`;
  page.on('console', (message) => {
    if (message.type() === 'error') console.error(`${name}: ${message.text()}`);
  });
  page.on('pageerror', (error) => console.error(`${name}: ${error}`));
  await page.goto(shown.path, { waitUntil: 'networkidle' });
  await shown.prepare?.(page);
  await page.waitForTimeout(shown.prepare ? 500 : 50);
  for (const theme of themes) {
    name = `${shown.name}-${width}-${theme}`;
    await page.emulateMedia({
      colorScheme: theme === 'dark' ? 'dark' : 'light',
      forcedColors: theme === 'forced' ? 'active' : 'none',
      contrast: theme === 'contrast' ? 'more' : 'no-preference',
    });
    await untilStill(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) console.error(`${name}: the page is ${wide} px too wide`);
    // A dialog is as high as the screen; a page is taken whole, up to a reasonable height.
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const clip = { x: 0, y: 0, width, height: Math.min(height, 2_400) };
    await page.screenshot({
      path: path.join(folder, `${name}.png`),
      ...(shown.prepare ? {} : { fullPage: true, clip }),
    });
    if (!values.axe) continue;
    for (const fault of await faults(page, { impacts: 'all' })) {
      console.error(`${name}: ${fault}`);
      found += 1;
    }
  }
}

/** Until nothing has moved for two frames: a colour on its way to the other theme is no colour of a page. At most some seconds. */
function untilStill(page: Page): Promise<void> {
  return page.evaluate(async () => {
    let still = 0;
    for (let frame = 0; still < 2 && frame < 240; frame += 1) {
      await new Promise((drawn) => requestAnimationFrame(drawn));
      const isMoving = document.getAnimations().some(({ playState }) => playState === 'running');
      still = isMoving ? 0 : still + 1;
    }
  });
}
