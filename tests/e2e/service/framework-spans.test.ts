import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { until } from '#tests/setup/until.ts';
import { serveBeside } from '../setup/serve-beside.ts';

const app = inject('app');
const WORDS = ['marque-cherchee-7q', 'fichier-secret-7q', 'jeton-de-partage-7q'];

let collector: Server;
let received = '';
let beside: Awaited<ReturnType<typeof serveBeside>>;

// An instance that exports its spans to this test.
beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received += Buffer.concat(chunks).toString('latin1');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await listenHere(collector);
  const { port } = collector.address() as AddressInfo;
  beside = await serveBeside(app, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
});
afterAll(async () => {
  await beside?.stop();
  collector?.closeAllConnections();
  collector?.close();
});

test('spans of the framework carry routes, never what was searched for nor the path of a file', async () => {
  const { baseUrl } = beside;
  for (const path of [
    `/api/generations?q=${WORDS[0]}`,
    `/api/v1/search?q=${WORDS[0]}`,
    `/recherche?q=${WORDS[0]}`,
    `/connexion?retour=/journal?q=${WORDS[0]}`,
    `/api/files/generations/gen_x/${WORDS[1]}.png`,
    `/partage/${WORDS[2]}`,
    `/partage/${WORDS[2]}/fichier?download=1`,
    `/api/nulle-part?q=${WORDS[0]}`,
  ])
    await (await fetch(baseUrl + path, { redirect: 'manual' })).text();
  const routes = [/\/api\/generations/, /\/api\/files\//, /\/recherche/];
  await until('the spans of these routes', () => routes.every((route) => route.test(received)));
  // Others may be on their way.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const word of WORDS) {
    const at = received.indexOf(word);
    expect(at === -1 ? null : received.slice(Math.max(0, at - 200), at + 60)).toBeNull();
  }
});
