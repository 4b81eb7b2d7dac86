// Loaded before Next's server when it stands on the embedded world (see serve.ts): reads of private files reach the
// embedded store, and the server ends when the process that started it is gone, however that one ended.
import { routeBlobHosts } from '../blob/route-hosts.ts';

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
