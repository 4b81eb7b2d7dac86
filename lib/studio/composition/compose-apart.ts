import { join } from 'node:path';
import { createSlots, findEntry, runApart } from '#lib/core/apart/run-apart.ts';
import { parts } from './apart-frames.ts';
import type { Composition, CompositionInput } from './composition.ts';
import { type CompositionFailure, failed } from './pixels.ts';

/** A picture of 24 megapixels takes some seconds; its PNG can be as large as its pixels. */
const LIMITS = { heapMb: 256, timeoutMs: 90_000, maxOutputBytes: 128 * 1024 * 1024 } as const;

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'studio', 'composition')];

/** One at a time: half a gigabyte is held while it lasts. */
const inTurn = createSlots(1);

type Answer = { failed: CompositionFailure } | Omit<Composition, 'png'>;

/**
 * `composePixels` in a process of its own: copying pictures of a hundred megabytes held everybody else for a tenth of a second. Throws
 * `composition-failed`.
 */
export async function composeApart(input: CompositionInput): Promise<Composition> {
  const output: Buffer[] = [];
  await inTurn(() =>
    runApart(findEntry(FOLDERS, 'composition-process.ts'), {
      input: parts([input.product, input.mask, input.generated]),
      limits: LIMITS,
      onOutput: (chunk) => void output.push(chunk),
    }),
  );
  const whole = Buffer.concat(output);
  const end = whole.indexOf('\n');
  const answer = JSON.parse(whole.toString('utf8', 0, end)) as Answer;
  if ('failed' in answer) throw failed(answer.failed);
  return { ...answer, png: new Uint8Array(whole.buffer, whole.byteOffset + end + 1, whole.length - end - 1) };
}
