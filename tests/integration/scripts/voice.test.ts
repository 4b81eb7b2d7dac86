import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

it('a script that is no text of UTF-8 is refused before a character of it is paid for', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atelier-voix-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // As a text editor of Windows may save it, and as a word processor does.
  for (const bytes of [
    Buffer.from('\uFEFFBonjour', 'utf16le'),
    Buffer.from([0x50, 0x4b, 3, 4, 0xd0, 0x00]),
  ]) {
    await writeFile(path.join(folder, 'script.txt'), bytes);
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(repositoryRoot, 'scripts/voice.ts'), 'script.txt'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          ATELIER_TEST_RUN: '1',
          SERVICE_DATA_DIR: path.join(folder, 'data'),
        } as unknown as NodeJS.ProcessEnv,
      },
    );
    expect(stderr).toContain('n’est pas un texte UTF-8\u00a0: rien n’a été dit.');
    expect(status).toBe(1);
  }
  expect(await readdir(folder)).toEqual(['script.txt']);
});
