import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
/** Asked by no other test: a file that this process has measured is not measured again. */
const VIDEO = {
  kind: 'video',
  case: 'cinematic',
  brief: 'Une vague',
  durationSeconds: 13,
  aspectRatio: '1:1',
};

// A reader has 20 s: this one is held for all of them.
it('a finished video that a machine under load does not measure in time is measured at the next visit, and not lost', async () => {
  const scene = await studioScene(service);
  const { row } = await submitGeneration(scene.ctx, { request: request(VIDEO) });
  const view = () => {
    scene.clock.advance(5 * 60_000);
    return getGeneration(scene.ctx, { generationId: row.id });
  };
  let readers = 0;
  const hold = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process;
    readers += 1;
    child.once('spawn', () => child.kill('SIGSTOP'));
  };
  subscribe('child_process', hold);
  try {
    expect(await view()).toMatchObject({ status: 'running', charge: 'open' });
  } finally {
    unsubscribe('child_process', hold);
  }
  expect(readers).toBe(1);
  expect(await view()).toMatchObject({
    status: 'done',
    charge: 'settled',
    files: [{ contentType: 'video/mp4' }],
  });
  expect(await bookFaults(service)).toEqual([]);
});

it('a voice that a machine under load does not measure in time is measured once more, within its request', async () => {
  const scene = await studioScene(service);
  let readers = 0;
  const holdFirst = (message: unknown) => {
    const child = (message as { process: ChildProcess }).process;
    readers += 1;
    if (readers === 1) child.once('spawn', () => child.kill('SIGSTOP'));
  };
  subscribe('child_process', holdFirst);
  try {
    const text = 'Une phrase que nul autre essai ne fait dire, pour que son fichier soit mesuré ici.';
    const { row } = await submitGeneration(scene.ctx, {
      request: request({ kind: 'voice', text, voiceId: 'Camille0Recorded0001' }),
    });
    expect(row).toMatchObject({ state: 'COMPLETED', artifacts: [{ contentType: 'audio/mpeg' }] });
  } finally {
    unsubscribe('child_process', holdFirst);
  }
  expect(readers).toBe(2);
  expect(await bookFaults(service)).toEqual([]);
});
