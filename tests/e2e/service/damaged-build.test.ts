import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot, testFolder } from '#lib/local/paths.ts';
import { deleteDataFolder } from '#lib/local/postgres/server.ts';
import { cleanEnv } from '../setup/serve.ts';

it('npm start does not say that it is ready when the build is damaged: it ends with the cause, and the next start builds anew', async () => {
  const build = path.join('.tmp', `damaged-${process.pid}`);
  const folder = path.join(repositoryRoot, build);
  const dataDir = await mkdtemp(path.join(testFolder(), 'damaged-'));
  try {
    const served = path.join(repositoryRoot, '.tmp/next');
    await cp(served, folder, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/^(cache|node_modules)$/.test(path.relative(served, source)),
    });
    await rm(path.join(folder, 'node_modules'), { recursive: true, force: true });
    const { code, output } = await start(dataDir, build);
    expect(output).not.toMatch(/est prêt|Building/);
    expect(output).toMatch(/\/api\/health répond 500/);
    expect(output).toMatch(/node_modules|Cannot find|module/i);
    expect(code).toBe(1);
    await expect(cp(path.join(folder, '.inputs'), path.join(dataDir, 'stamp'))).rejects.toThrow('ENOENT');
  } finally {
    await deleteDataFolder(dataDir);
    for (const name of [folder, `${folder}.tsconfig.json`, `${folder}.lock`])
      await rm(name, { recursive: true, force: true });
  }
});

/** Runs `npm start` until it ends by itself, or until it reports that it is ready, and is then stopped. */
function start(dataDir: string, build: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [path.join(repositoryRoot, 'scripts/start.ts')], {
      cwd: repositoryRoot,
      env: {
        ...cleanEnv(),
        SERVICE_DATA_DIR: dataDir,
        SERVICE_BUILD_DIR: build,
        PORT: '0',
        ATELIER_TEST_RUN: '1',
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: string) => {
        output += chunk;
        if (output.includes('est prêt')) child.kill('SIGTERM');
      });
    child.on('close', (code) => resolve({ code, output }));
  });
}
