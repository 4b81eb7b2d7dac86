import { type Browser, chromium } from 'playwright';
import { type BrowserExecutable, packagedBrowser } from './packaged-browser.ts';

// In place of the packaged browser's defaults, which run pages in the browser's process and disable web security.
const ARGS = ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'];
// Without a locale, Chromium reads file names such as « Identité » as bytes, and kills the page that chooses such a file.
const LOCALE = { LC_ALL: 'C.UTF-8' };
const LAUNCH_LIMIT_MS = 300_000;
const ANSWER_LIMIT_MS = 120_000;
const LAST_WORDS = 2000;

/** One browser, started at its first use, and again at the next use after it died. */
export type BrowserKeeper = {
  /** The running browser. */
  get(): Promise<Browser>;
  /** The process identifier of the running browser. */
  pid(): Promise<number | undefined>;
  /** For each browser that ended by itself: its signal or exit code, and the end of its output. Each is returned once. */
  takeDeaths(): Promise<string[]>;
  close(): Promise<void>;
};

type Launched = {
  browser: Browser;
  pid: number | undefined;
  ended: Promise<string>;
  kill(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The browser of tests, screenshots and measurements: the Chromium of an npm package, or the executable named by `ATELIER_CHROMIUM`. An
 * installed browser is never used.
 */
export function keepBrowser(): BrowserKeeper {
  let living: Promise<Launched> | undefined;
  const deaths: string[] = [];

  const bury = async () => {
    const launched = await living?.catch(() => undefined);
    if (!launched || (await answers(launched.browser))) return;
    living = undefined;
    // The browser may hang, or have closed its connection only: it is then killed, and reported with that signal.
    const patience = setTimeout(() => void launched.kill(), 10_000);
    deaths.push(await launched.ended);
    clearTimeout(patience);
    await launched.close();
  };
  return {
    async get() {
      await bury();
      living ??= launch();
      return (await living).browser;
    },
    pid: async () => (await living)?.pid,
    async takeDeaths() {
      await bury();
      return deaths.splice(0);
    },
    async close() {
      const launched = await living?.catch(() => undefined);
      living = undefined;
      await launched?.close();
    },
  };
}

/** Whether the browser answers. The state of the connection does not tell: it outlives the browser. */
async function answers(browser: Browser): Promise<boolean> {
  const asked = browser
    .newBrowserCDPSession()
    .then((session) => session.detach())
    .then(
      () => true,
      () => false,
    );
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_LIMIT_MS);
  });
  return Promise.race([asked, hung]).finally(() => clearTimeout(timer));
}

async function launch(): Promise<Launched> {
  const given = process.env.ATELIER_CHROMIUM?.trim();
  const { executablePath, env }: BrowserExecutable = given
    ? { executablePath: given, env: {} }
    : await packagedBrowser();
  // Launched as a server, to have its process: a browser launched directly does not report how it ended.
  const server = await chromium.launchServer({
    executablePath,
    args: ARGS,
    env: { ...process.env, ...env, ...LOCALE },
    timeout: LAUNCH_LIMIT_MS,
  });
  const child = server.process();
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-LAST_WORDS);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`${signal ?? `exit ${code}`}\n${said}`.trim()));
  });
  const browser = await chromium.connect(server.wsEndpoint(), { timeout: LAUNCH_LIMIT_MS });
  return {
    browser,
    pid: child.pid,
    ended,
    kill: () => server.kill(),
    async close() {
      await browser.close().catch(() => undefined);
      await server.close().catch(() => undefined);
    },
  };
}
