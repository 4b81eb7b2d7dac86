// Loaded before Next's server when it stands on embedded services (see serve.ts): reads of private files reach the embedded store,
// renders are drawn on this machine, and the server ends when the process that started it is gone, however that one ended.
import type { LocalRunner } from '#lib/http/runtime/studio.ts';
import { routeBlobHosts } from '../blob/route-hosts.ts';
import { createEmbeddedRenderRunner } from '../render/runner.ts';

(globalThis as { atelierLocalRunner?: LocalRunner }).atelierLocalRunner = createEmbeddedRenderRunner;

if (process.env.VERCEL_BLOB_API_URL?.startsWith('http://127.0.0.1:'))
  routeBlobHosts(process.env.VERCEL_BLOB_API_URL);

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
