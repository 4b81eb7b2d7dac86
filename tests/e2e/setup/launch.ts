import { type Browser, chromium } from 'playwright';

// Chosen by us: the packaged browser's own defaults run the page in the browser's process and switch web security off.
const ARGS = ['--no-sandbox', '--disable-background-networking', '--disable-dev-shm-usage'];

/** The Chromium that comes inside an npm package; `ATELIER_CHROMIUM` names another executable instead. */
export async function launchBrowser(): Promise<Browser> {
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = process.env.ATELIER_CHROMIUM || (await packaged.executablePath());
  return chromium.launch({ executablePath, args: ARGS });
}
