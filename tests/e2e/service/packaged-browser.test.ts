import { execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot, testFolder } from '#lib/local/paths.ts';
import { keepBrowser } from '../setup/launch.ts';
import { packagedBrowser } from '../setup/packaged-browser.ts';

let home = '';
beforeAll(async () => {
  home = await mkdtemp(path.join(testFolder(), 'browser-'));
});
afterAll(() => rm(home, { recursive: true }));

const unpackElsewhere = () => [
  '--input-type=module',
  '-e',
  `const { packagedBrowser } = await import('#tests/e2e/setup/packaged-browser.ts');
   console.log((await packagedBrowser(${JSON.stringify(home)})).executablePath);`,
];

/** The version that the executable prints, which shows that it runs with its own libraries. */
async function versionOf({ executablePath, env }: Awaited<ReturnType<typeof packagedBrowser>>) {
  const run = promisify(execFile)(executablePath, ['--headless', '--version'], {
    env: env as unknown as NodeJS.ProcessEnv,
  });
  return (await run).stdout.trim();
}

it('is unpacked once and whole, by processes that race, beside what a killed one left half-written', async () => {
  await mkdir(path.join(home, 'draft-killed'));
  await writeFile(path.join(home, 'draft-killed', 'chromium'), 'half');
  const killed = spawn(process.execPath, unpackElsewhere(), { cwd: repositoryRoot, stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 700));
  killed.kill('SIGKILL');
  const runs = [1, 2, 3].map(() =>
    promisify(execFile)(process.execPath, unpackElsewhere(), { cwd: repositoryRoot }),
  );
  const places = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
  const browser = await packagedBrowser(home);
  expect(new Set([...places, browser.executablePath]).size).toBe(1);
  expect(await versionOf(browser)).toMatch(/\d+\.\d+\.\d+\.\d+/);
  expect((await readdir(home)).filter((name) => name.startsWith('draft-'))).toEqual([]);
});

it.each([
  ['is cut short', (file: string) => truncate(file, 1_000_000)],
  ['anybody may write', (file: string) => chmod(file, 0o777)],
  ['is gone', (file: string) => rm(file)],
])('is unpacked again when its executable %s', async (_, harm) => {
  const before = await packagedBrowser(home);
  const { size } = await stat(before.executablePath);
  await harm(before.executablePath);
  const after = await packagedBrowser(home);
  expect(after).toEqual(before);
  const found = await stat(after.executablePath);
  expect([found.size, found.mode & 0o022]).toEqual([size, 0]);
});

/** The command line of a process, with spaces between its arguments, as Chromium writes those of its children. Empty if the process has ended. */
async function commandOf(pid: string | number): Promise<string> {
  const said = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return said.replaceAll('\0', ' ');
}

it('is launched with processes of their own for its pages and with the security of the web, whatever its package would choose', async () => {
  const keeper = keepBrowser();
  try {
    await (await keeper.get()).newPage();
    const browser = await commandOf((await keeper.pid()) ?? '');
    const { executablePath } = await packagedBrowser();
    expect(browser).toMatch(new RegExp(`^${executablePath} .*--headless`));
    for (const option of [
      'single-process',
      'no-zygote',
      'disable-web-security',
      'disable-site-isolation-trials',
    ])
      expect(browser).not.toMatch(new RegExp(` --${option}(=| |$)`));
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const commands = await Promise.all(pids.map(commandOf));
    expect(
      commands.filter((one) => one.startsWith(executablePath) && one.includes(' --type=renderer ')),
    ).not.toEqual([]);
  } finally {
    await keeper.close();
  }
});
