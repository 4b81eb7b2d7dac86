import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { moduleClosure } from '../../../../scripts/deploy/module-closure.ts';

// As a function has it: the files that it imports and no other, in a folder that nobody may write, NODE_ENV for all environment, and a user of no rights.
const task = mkdtempSync(path.join(tmpdir(), 'atelier-clip-'));
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const HANDLER = `
import { buffer } from 'node:stream/consumers';
import { probeClip } from './lib/storage/media/probe-clip.ts';
globalThis.atelierReadsInProcess = process.argv[3] === 'preview';
const { durationMs, videoCodec, audioCodec } = await probeClip(new Uint8Array(await buffer(process.stdin)), process.argv[2]);
process.stdout.write(JSON.stringify({ durationMs, videoCodec, audioCodec, environment: Object.keys(process.env) }));
`;

beforeAll(() => {
  const { files, packages } = moduleClosure(repositoryRoot, [
    'lib/storage/media/probe-clip.ts',
    'lib/storage/media/clip-process.ts',
  ]);
  for (const place of ['package.json', ...files, ...packages]) {
    mkdirSync(path.join(task, path.dirname(place)), { recursive: true });
    cpSync(path.join(repositoryRoot, place), path.join(task, place), { recursive: true });
  }
  writeFileSync(path.join(task, 'handler.mjs'), HANDLER);
  spawnSync('chmod', ['-R', 'a-w,a+rX', task]);
});
afterAll(() => {
  chmodSync(task, 0o755);
  spawnSync('chmod', ['-R', 'u+w', task]);
  rmSync(task, { recursive: true, force: true });
});

/** `permission`: Node itself refuses what is not allowed: every write, and programs unless `--allow-child-process`. */
function measure(file: string, format: string, as: 'preview' | 'production', ...allowed: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--permission', `--allow-fs-read=${task}`, ...allowed, path.join(task, 'handler.mjs'), format, as],
    {
      ...nobody,
      cwd: task,
      env: { NODE_ENV: 'production' },
      input: readFileSync(path.join(repositoryRoot, 'tests/fixtures/media', file)),
      encoding: 'utf8',
    },
  );
  return { status, said: stdout === '' ? stderr : JSON.parse(stdout) };
}

test.each([
  ['clip.mp4', 'mp4', { durationMs: 3200, videoCodec: 'avc', audioCodec: 'aac' }],
  ['clip.webm', 'webm', { durationMs: 3232, videoCodec: 'vp8' }],
  ['track.mp3', 'mp3', { videoCodec: null, audioCodec: 'mp3' }],
])(
  '%s is measured where a function runs: nothing to write on, no user, no variable but NODE_ENV',
  (file, format, facts) => {
    expect(measure(file, format, 'production', '--allow-child-process')).toMatchObject({
      status: 0,
      said: { ...facts, environment: ['NODE_ENV'] },
    });
  },
);

test('where no program may be started, a preview measures in its own process; production refuses what a hostile file would end it with', () => {
  expect(measure('clip.mp4', 'mp4', 'preview')).toMatchObject({ status: 0, said: { durationMs: 3200 } });
  expect(measure('clip.mp4', 'mp4', 'production')).toMatchObject({
    status: 1,
    said: expect.stringContaining('ChildRefused'),
  });
});
