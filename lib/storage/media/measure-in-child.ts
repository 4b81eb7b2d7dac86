import { join } from 'node:path';
import { childOrInProcess } from '#lib/core/child-process/child-refused.ts';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { againIfStopped, ChildFailure, findEntry, runChild } from '#lib/core/child-process/run-child.ts';
import { type MeasuredTracks, measureTracks, UNREADABLE_EXIT } from './measure-tracks.ts';
import type { ClipFormat } from './media-types.ts';

/** An 11 KB file can ask for gigabytes, or keep its reader busy for minutes. */
const LIMITS = { heapMb: 384, timeoutMs: 20_000 } as const;
/** The facts of a clip take some hundred bytes. */
const MAX_OUTPUT_BYTES = 64 * 1024;

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'storage', 'media')];

/** Nothing that was paid or sent is refused here: what one account may have on its way is limited before. */
const inTurn = createFairSlots({ count: 2, waitingPerOwner: Number.POSITIVE_INFINITY });

/** The file made its reader fail, exhaust its heap or its time. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Whether a refusal says only that a file was not read in its time: it may keep its reader busy, or the machine may be under load. */
export function isOutOfTime({ cause }: Error): boolean {
  return (
    cause instanceof UnreadableFile && cause.cause instanceof ChildFailure && cause.cause.reason === 'time'
  );
}

type MeasureOptions = {
  /** The account whose file it is: it has one of the two places, so that no other account's files wait for all of its. */
  owner?: string | undefined;
  heapMb?: number;
  timeoutMs?: number;
};

/**
 * `measureTracks` in a process of its own, two at once at most and one for the same account. Throws `UnreadableFile` when the file is
 * at fault. In this process where no program may be started (`childOrInProcess`).
 */
export async function measureInChild(
  bytes: Uint8Array,
  format: ClipFormat,
  options: MeasureOptions = {},
): Promise<MeasuredTracks> {
  return childOrInProcess(
    () => againIfStopped(() => inProcess(bytes, format, options)),
    () =>
      measureTracks(bytes, format).catch((error: unknown) => {
        throw new UnreadableFile('here', { cause: error });
      }),
  );
}

async function inProcess(
  bytes: Uint8Array,
  format: ClipFormat,
  { owner = '', heapMb = LIMITS.heapMb, timeoutMs = LIMITS.timeoutMs }: MeasureOptions,
): Promise<MeasuredTracks> {
  const output: Buffer[] = [];
  try {
    await inTurn(owner, () =>
      runChild(findEntry(FOLDERS, 'clip-process.ts'), {
        args: [format],
        input: [bytes],
        limits: { heapMb, timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES },
        onOutput: (chunk) => void output.push(chunk),
      }),
    );
  } catch (error) {
    throw isFileAtFault(error) ? new UnreadableFile(error.reason, { cause: error }) : error;
  }
  return JSON.parse(Buffer.concat(output).toString()) as MeasuredTracks;
}

function isFileAtFault(error: unknown): error is ChildFailure {
  if (!(error instanceof ChildFailure) || error.reason === 'stopped') return false;
  return error.reason !== 'exit' || error.exitCode === UNREADABLE_EXIT;
}
