import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';

test('gives what the work gives, or its failure, when it comes in time', async () => {
  expect(await waitAtMost(Promise.resolve('done'), 60_000, 'late')).toBe('done');
  await expect(waitAtMost(Promise.reject(new TypeError('refused')), 60_000, 'late')).rejects.toThrow(
    'refused',
  );
});

test('gives the other value once the time is over, and a failure that comes later harms nobody', async () => {
  let fail: (error: Error) => void = () => {};
  const work = new Promise<string>((_, reject) => {
    fail = reject;
  });
  expect(await waitAtMost(work, 1, 'late')).toBe('late');
  fail(new Error('too late'));
  await new Promise((resolve) => setTimeout(resolve, 1));
});

test('what has come while the process was held is taken, though its time is over', async () => {
  const server = createServer((socket) => void socket.write('come'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  const [accepted] = (await once(server, 'connection')) as [Socket];
  expect(String((await once(client, 'data'))[0])).toBe('come');
  const next = once(client, 'data').then(([data]) => String(data));
  accepted.write('late');
  const waited = waitAtMost(next, 10, 'nothing');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(await waited).toBe('late');
});
