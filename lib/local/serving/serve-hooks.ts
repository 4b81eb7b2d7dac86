// Loaded before Next's server when it stands on embedded services (see serve.ts): reads of private files reach the embedded store,
// renders are drawn on this machine, and the server ends when the process that started it is gone, however that one ended.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LocalRunner } from '#lib/http/runtime/studio.ts';
import { routeBlobHosts } from '../blob/route-hosts.ts';
import { createEmbeddedRenderRunner } from '../render/runner.ts';
import { SERVED_BY } from './until-serving.ts';

(globalThis as { atelierLocalRunner?: LocalRunner }).atelierLocalRunner = createEmbeddedRenderRunner;

if (process.env.VERCEL_BLOB_API_URL?.startsWith('http://127.0.0.1:'))
  routeBlobHosts(process.env.VERCEL_BLOB_API_URL);

// Lets the starter tell this server's answers from those of another that took the port.
const servedBy = process.env.ATELIER_SERVED_BY;
if (servedBy)
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.headers[SERVED_BY] === servedBy) response.setHeader(SERVED_BY, servedBy);
  });

if (process.env.ATELIER_WATCH_STDIN) {
  delete process.env.ATELIER_WATCH_STDIN;
  process.stdin.on('end', endGroup).on('error', endGroup).resume();
  // Reading must not be what keeps a server alive that wants to end.
  (process.stdin as unknown as { unref?: () => void }).unref?.();
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.exit(1);
  }
}
