import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { commandLine, processToken } from '#lib/local/processes.ts';

const { platform } = process;
const onPlatform = (value: string) => Object.defineProperty(process, 'platform', { value });
afterEach(() => {
  onPlatform(platform);
  vi.unstubAllEnvs();
});

const hasPs = spawnSync('ps', ['-o', 'lstart=', '-p', String(process.pid)]).status === 0;

it.skipIf(!hasPs)('a process is told by the same token whatever the zone and language of who asks', () => {
  onPlatform('darwin');
  const tokens = ['Asia/Tokyo', 'America/New_York'].map((zone) => {
    vi.stubEnv('TZ', zone);
    return processToken(process.pid);
  });
  expect(tokens[0]).toMatch(/\d\d:\d\d:\d\d/);
  expect(tokens[1]).toBe(tokens[0]);
});

it('a command line is read whole and with its accents, however far its folder, where the system is asked by a command', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-ps-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const line = `/Users/zoe/${'travaux/'.repeat(12)}postgres -D /Users/zoe/société/.data/postgres/data`;
  // As on macOS: 79 columns unless all are asked for, and no accents outside UTF-8.
  const ps = [
    '#!/bin/sh',
    `case "$LC_ALL" in *.UTF-8) line='${line}' ;; *) line='${line.replaceAll('é', 'M-CM-)')}' ;; esac`,
    `case "$*" in *-ww*) echo "$line" ;; *) echo "$line" | cut -c 1-79 ;; esac`,
  ];
  await writeFile(path.join(folder, 'ps'), `${ps.join('\n')}\n`, { mode: 0o755 });
  onPlatform('darwin');
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env.PATH}`);
  expect(commandLine(process.pid).trim()).toBe(line);
});
