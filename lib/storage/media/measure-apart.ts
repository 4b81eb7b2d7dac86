import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type MeasuredTracks, UNREADABLE_EXIT } from './measure-tracks.ts';
import type { ClipFormat } from './media-types.ts';

const MEASURE_LIMITS = {
  /** Heap of one reading; an 11 KB file can ask for gigabytes. */
  heapMb: 384,
  timeoutMs: 20_000,
  /** Readings at once in one process; the others wait. */
  concurrency: 2,
} as const;

/** In a bundle this module no longer lies beside its entry, which Node reads from the sources of the project. */
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'storage', 'media')];

let running = 0;
const waiting: (() => void)[] = [];

/** The file made its reader fail, exhaust its heap or its time. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/**
 * `measureTracks` in a process of its own, with its own heap and time and no environment: a file made to exhaust memory or to
 * never finish ends that process, not the service (a worker thread was tried: its heap limit can still abort the whole process).
 * Throws `UnreadableFile` when the file is at fault.
 */
export async function measureApart(
  bytes: Uint8Array,
  format: ClipFormat,
  limits: { heapMb: number; timeoutMs: number } = MEASURE_LIMITS,
): Promise<MeasuredTracks> {
  if (running >= MEASURE_LIMITS.concurrency) await new Promise<void>((turn) => waiting.push(turn));
  else running += 1;
  try {
    return await runApart(bytes, format, limits);
  } finally {
    // The place is handed over as it is, so that a newcomer cannot slip in between.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function runApart(
  bytes: Uint8Array,
  format: ClipFormat,
  limits: { heapMb: number; timeoutMs: number },
): Promise<MeasuredTracks> {
  const flags = [`--max-old-space-size=${limits.heapMb}`, '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, entryFile(), format], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { NODE_ENV: 'production' },
    timeout: limits.timeoutMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<void>((fulfil, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) fulfil();
      else if (signal || code === UNREADABLE_EXIT || code === 128 + 6)
        reject(new UnreadableFile(signal ?? ''));
      else reject(new Error(`the clip reader ended with ${code}`));
    });
  });
  // A child that dies early closes its input; its exit says why.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
  const [answer] = await Promise.all([text(child.stdout), ended]);
  return JSON.parse(answer) as MeasuredTracks;
}

function entryFile(): string {
  for (const folder of FOLDERS) {
    const file = join(folder, 'clip-process.ts');
    if (existsSync(file)) return file;
  }
  throw new Error('lib/storage/media/clip-process.ts is not deployed');
}
