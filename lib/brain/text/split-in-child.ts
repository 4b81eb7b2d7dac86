import { join } from 'node:path';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { ChildFailure, findEntry, runChild } from '#lib/core/child-process/run-child.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { splitText } from './split-text.ts';

/** Up to here a text is divided at once, whatever it holds; a longer one would hold up everybody else. */
const AT_ONCE = 64 * 1024;

const LIMITS = { heapMb: 256, timeoutMs: 20_000, maxOutputBytes: 16 * 1024 * 1024 } as const;

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'brain', 'text')];

const inTurn = createFairSlots({ count: 2, waitingPerOwner: 8 });

/**
 * `splitText`, in a child process when the text is long. Errors: `invalid_request` (`body`) when splitting takes too long, `rate_limited` when
 * the account has many waiting.
 */
export async function splitTextInChild(
  accountId: string,
  input: { title: string; body: string },
): Promise<{ title: string; body: string }[]> {
  if (input.body.length <= AT_ONCE) return splitText(input);
  const output: Buffer[] = [];
  try {
    await inTurn(accountId, () =>
      runChild(findEntry(FOLDERS, 'split-process.ts'), {
        input: [Buffer.from(JSON.stringify(input))],
        limits: LIMITS,
        onOutput: (chunk) => void output.push(chunk),
      }),
    );
  } catch (error) {
    if (!(error instanceof ChildFailure)) throw error;
    const message = 'Ce texte ne se divise pas en un temps raisonnable\u00a0: envoyez-le en plusieurs fois.';
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'body', message }] });
  }
  return JSON.parse(Buffer.concat(output).toString()) as { title: string; body: string }[];
}
