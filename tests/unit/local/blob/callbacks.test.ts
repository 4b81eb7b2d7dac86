import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CallbackQueue } from '#lib/local/blob/callbacks.ts';
import { BlobIndex } from '#lib/local/blob/index.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { until } from '#tests/setup/until.ts';

test('an index that cannot be read for a while is said, ends nothing, and what waits in it is told afterwards', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'atelier-callbacks-'));
  const heard: string[] = [];
  const application = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    request.on('end', () => response.end());
  });
  await listenHere(application);
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const index = new BlobIndex(folder);
  const queue = new CallbackQueue(index, {
    storeId: 'local',
    token: 'vercel_blob_rw_local_callbacks',
    webhookPrivateKey: '',
    webhookPublicKey: '',
  });
  onTestFinished(async () => {
    await queue.close();
    index.close();
    said.mockRestore();
    application.close();
    await rm(folder, { recursive: true, force: true });
  });

  const url = `http://127.0.0.1:${(application.address() as AddressInfo).port}/done`;
  queue.add({ url, tokenPayload: '7', presigned: false }, { pathname: 'up.png' }, Date.now());
  index.sql.exec('alter table callback rename to away');
  await until('the queue to say it', () => said.mock.calls.length > 0);
  expect(said.mock.calls[0]?.[0]).toContain('no such table');
  expect(heard).toEqual([]);
  index.sql.exec('alter table away rename to callback');
  await until('the callback', () => heard.length > 0);
  expect(JSON.parse(heard[0] ?? '')).toMatchObject({ payload: { tokenPayload: '7' } });
});
