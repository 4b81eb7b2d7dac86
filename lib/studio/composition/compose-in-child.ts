import { join } from 'node:path';
import { childOrInProcess } from '#lib/core/child-process/child-refused.ts';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { againIfStopped, findEntry, runChild } from '#lib/core/child-process/run-child.ts';
import { composePixels } from './compose-pixels.ts';
import type { Composition, CompositionInput } from './composition.ts';
import { joinPictures } from './length-prefixed.ts';
import { loadSharp } from './load-sharp.ts';
import { type CompositionFailure, failed } from './pixels.ts';

/** A picture of 24 megapixels takes some seconds; its PNG can be as large as its pixels. */
const LIMITS = { heapMb: 256, timeoutMs: 90_000, maxOutputBytes: 128 * 1024 * 1024 } as const;

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'studio', 'composition')];

/** One at a time, accounts in turn: each holds half a gigabyte. */
const inTurn = createFairSlots({ count: 1, waitingPerOwner: Number.POSITIVE_INFINITY });

type Answer = { failed: CompositionFailure } | (Omit<Composition, 'png'> & { bytes: number });

/**
 * `composePixels` in a process of its own: copying and comparing pictures of a hundred megabytes in this one would block it for a tenth of a
 * second. Accounts (`owner`) take turns. Throws `composition-failed`.
 */
export async function composeInChild(input: CompositionInput, owner: string): Promise<Composition> {
  return inTurn(owner, () =>
    childOrInProcess(
      () =>
        againIfStopped(async () => {
          const answer = readAnswer();
          await runChild(findEntry(FOLDERS, 'composition-process.ts'), {
            input: joinPictures([input.product, input.mask, input.generated]),
            limits: LIMITS,
            onOutput: answer.take,
          });
          return answer.composition();
        }),
      async () => composePixels(await loadSharp(), input),
    ),
  );
}

/** Reads what the child process writes, a line of JSON then a PNG, straight into the final buffer: a large one is never copied whole. */
function readAnswer() {
  let head = Buffer.alloc(0);
  let answer: Answer | undefined;
  let png = new Uint8Array();
  let filled = 0;
  return {
    take(chunk: Buffer) {
      let rest = chunk;
      if (!answer) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\n');
        if (end < 0) return;
        answer = JSON.parse(head.toString('utf8', 0, end)) as Answer;
        if ('bytes' in answer) png = new Uint8Array(Math.min(answer.bytes, LIMITS.maxOutputBytes));
        rest = head.subarray(end + 1);
      }
      png.set(rest, filled);
      filled += rest.length;
    },
    composition(): Composition {
      if (!answer || ('bytes' in answer && filled !== answer.bytes)) throw new Error('the answer is cut');
      if ('failed' in answer) throw failed(answer.failed);
      const { bytes: _bytes, ...facts } = answer;
      return { ...facts, png };
    },
  };
}
