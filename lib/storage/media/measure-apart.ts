import { join } from 'node:path';
import { ApartFailure, createSlots, findEntry, runApart } from '#lib/core/apart/run-apart.ts';
import { type MeasuredTracks, UNREADABLE_EXIT } from './measure-tracks.ts';
import type { ClipFormat } from './media-types.ts';

/** An 11 KB file can ask for gigabytes, or keep its reader busy for minutes. */
const LIMITS = { heapMb: 384, timeoutMs: 20_000 } as const;
/** The facts of a clip take some hundred bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024;

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'storage', 'media')];

const inTurn = createSlots(2);

/** The file made its reader fail, exhaust its heap or its time. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** `measureTracks` in a process of its own, two at once at most. Throws `UnreadableFile` when the file is at fault. */
export async function measureApart(
  bytes: Uint8Array,
  format: ClipFormat,
  limits: { heapMb: number; timeoutMs: number } = LIMITS,
): Promise<MeasuredTracks> {
  const output: Buffer[] = [];
  try {
    await inTurn(() =>
      runApart(findEntry(FOLDERS, 'clip-process.ts'), {
        args: [format],
        input: [bytes],
        limits: { ...limits, maxOutputBytes: MAX_OUTPUT_BYTES },
        onOutput: (chunk) => void output.push(chunk),
      }),
    );
  } catch (error) {
    const isFile =
      error instanceof ApartFailure && (error.reason !== 'exit' || error.exitCode === UNREADABLE_EXIT);
    throw isFile ? new UnreadableFile(error.reason, { cause: error }) : error;
  }
  return JSON.parse(Buffer.concat(output).toString()) as MeasuredTracks;
}
