import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveHost } from '#lib/core/net/resolve-host.ts';
import { safeFetch } from '#lib/core/net/safe-fetch.ts';

/** A name server that receives every question and answers none, as a hostile one may. */
let silent: Socket;
let heard = 0;
let server = '';

beforeAll(async () => {
  silent = createSocket('udp4').on('message', () => {
    heard += 1;
  });
  silent.bind(0, '127.0.0.1');
  await once(silent, 'listening');
  server = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => void silent.close());

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'answered',
    (error: unknown) => error,
  );

describe('a name of a stranger', () => {
  test('is never looked up in the threads that files and pictures share', async () => {
    const stop = new AbortController();
    const fetched = outcome(safeFetch('https://nobody.atelier.example/a', { signal: stop.signal }));
    const busy = process.getActiveResourcesInfo();
    stop.abort(new Error('over'));
    await fetched;
    expect(busy.filter((name) => name.startsWith('GetAddrInfo'))).toEqual([]);
  });

  test('whose server never answers, asked fifty times at once, holds up no file that is read', async () => {
    const stop = new AbortController();
    let settled = 0;
    const names = Array.from({ length: 50 }, (_, n) =>
      outcome(
        resolveHost(`n${n}.atelier.example`, stop.signal, { servers: [server], timeoutMs: 600_000 }),
      ).finally(() => {
        settled += 1;
      }),
    );
    const files = await Promise.all(Array.from({ length: 20 }, () => readFile(import.meta.filename)));
    expect([files.length, settled]).toEqual([20, 0]);
    stop.abort();
    await Promise.all(names);
    expect(heard).toBeGreaterThan(0);
  });

  test('is given up after a few tries, as a name that could not be read', async () => {
    const asked = resolveHost('n.atelier.example', new AbortController().signal, {
      servers: [server],
      timeoutMs: 20,
    });
    expect(await outcome(asked)).toMatchObject({ reason: 'unreadable', detail: 'dns' });
  });

  test('is given up at once with the request that asked for it', async () => {
    const stop = new AbortController();
    const asked = outcome(resolveHost('n.atelier.example', stop.signal, { servers: [server] }));
    stop.abort();
    expect(await asked).toMatchObject({ reason: 'unreadable', detail: 'dns' });
    expect(await outcome(resolveHost('n.atelier.example', stop.signal))).toMatchObject({
      name: 'AbortError',
    });
  });
});
