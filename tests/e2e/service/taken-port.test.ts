import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { PortTaken, serve } from '#lib/local/serving/serve.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { cleanEnv } from '../setup/serve.ts';

it('a server whose port another one took is not said to serve, however well the other answers', async () => {
  const other = createServer((_, response) => void response.end('{}'));
  await listenHere(other);
  const { port } = other.address() as AddressInfo;
  const env = {
    ...cleanEnv(),
    SERVICE_BUILD_DIR: '.tmp/next',
    SERVICE_ENV: 'development',
    ATELIER_TEST_RUN: '1',
  };
  try {
    await expect(serve({ mode: 'start', port, env, quiet: true })).rejects.toBeInstanceOf(PortTaken);
  } finally {
    other.closeAllConnections();
    other.close();
  }
});
