import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { repositoryRoot } from '#lib/local/paths.ts';
import type { ServedApp } from './global.ts';

const run = promisify(execFile);

/** Signs a page in as a member of the demonstration account, without a code (those are throttled per address), and opens `to`. */
export async function signedIn(app: ServedApp, page: Page, email: string, to: string): Promise<void> {
  const { stdout } = await run(
    process.execPath,
    [
      path.join(repositoryRoot, 'scripts/admin.ts'),
      'session',
      'create',
      '--member',
      email,
      '--account',
      app.demo?.accountId ?? '',
      '--json',
    ],
    {
      env: {
        PATH: process.env.PATH,
        SERVICE_DATA_DIR: app.dataDir,
        ATELIER_TEST_RUN: '1',
      } as unknown as NodeJS.ProcessEnv,
      cwd: repositoryRoot,
    },
  );
  const { cookie } = JSON.parse(stdout) as { cookie: string };
  const [name, value] = cookie.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url: app.baseUrl }]);
  await page.goto(to);
}
