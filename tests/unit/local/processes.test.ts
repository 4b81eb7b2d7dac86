import { spawnSync } from 'node:child_process';
import { afterEach, expect, it, vi } from 'vitest';
import { processToken } from '#lib/local/processes.ts';

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
