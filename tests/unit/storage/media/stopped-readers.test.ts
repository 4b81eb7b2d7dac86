import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { measureInChild } from '#lib/storage/media/measure-in-child.ts';

const clip = new Uint8Array(readFileSync(new URL('../../../fixtures/media/clip.mp4', import.meta.url)));

/** Measures a film while the first so many of its readers are sent the signal that ends a service and all of its processes. */
async function measuredWhile(stopped: number): Promise<{ result: unknown; readers: number }> {
  let readers = 0;
  const end = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process;
    readers += 1;
    if (readers <= stopped) child.once('spawn', () => child.kill('SIGTERM'));
  };
  subscribe('child_process', end);
  try {
    const result = await measureInChild(clip, 'mp4').catch((error: unknown) => error);
    return { result, readers };
  } finally {
    unsubscribe('child_process', end);
  }
}

test('a film whose reader is stopped with the service is read again, and not called unreadable', async () => {
  const { result, readers } = await measuredWhile(1);
  expect(result).toMatchObject({ video: { codec: 'avc' } });
  expect(readers).toBe(2);
});

test('a film whose readers are all stopped is no film at fault: that is told as what it is', async () => {
  const { result } = await measuredWhile(Number.POSITIVE_INFINITY);
  expect(result).toMatchObject({ name: 'ChildFailure', reason: 'stopped' });
});
