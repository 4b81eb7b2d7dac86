import { type Browser, chromium } from 'playwright';
import { type BrowserExecutable, packagedBrowser } from './packaged-browser.ts';

// Chosen by us: the packaged browser's own defaults run the page in the browser's process and switch web security off.
const ARGS = ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'];
// Where the shell names no language, Chromium reads « Identité » from a disk as bytes, and ends the page that asks for such a file.
const LOCALE = { LC_ALL: 'C.UTF-8' };
const LAUNCH_LIMIT_MS = 300_000;
const ANSWER_LIMIT_MS = 120_000;
const LAST_WORDS = 2000;

/** One browser: started at first use, and again at the next use after it died. */
export type BrowserKeeper = {
  /** The living browser. */
  get(): Promise<Browser>;
  /** Process number of the living browser. */
  pid(): Promise<number | undefined>;
  /** How each browser that ended by itself did (a signal, or an exit code), with the end of what it wrote. Each is told once. */
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
 * The one way to a browser, for tests, screenshots and measurements: the Chromium that comes inside an npm package, or the executable
 * that `ATELIER_CHROMIUM` names. What happens to be installed is not looked for.
 */
export function keepBrowser(): BrowserKeeper {
  let living: Promise<Launched> | undefined;
  const deaths: string[] = [];

  const bury = async () => {
    const launched = await living?.catch(() => undefined);
    if (!launched || (await answers(launched.browser))) return;
    living = undefined;
    // It may have hung, or only hung up: it is ended then, and said with that signal.
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

/** Asked, because the connection outlives the browser behind it, and a death is known before the process is reaped. */
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
  // A server, for its process: a browser launched directly does not tell how it ended.
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
