import { join } from 'node:path';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { againIfStopped, ChildFailure, findEntry, runChild } from '#lib/core/child-process/run-child.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { splitText } from './split-text.ts';

/** Up to here a text is divided at once, whatever it holds; a longer one would hold up everybody else. */
const AT_ONCE = 64 * 1024;

const LIMITS = { heapMb: 256, timeoutMs: 20_000, maxOutputBytes: 16 * 1024 * 1024 } as const;

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'brain', 'text')];

const inTurn = createFairSlots({ count: 2, waitingPerOwner: 8 });

/**
 * `splitText`, in a child process when the text is long, once more where that was stopped with the service. Errors: `invalid_request` (`body`) when
 * the text takes too long or exhausts the process, `unavailable` when it was stopped again, `rate_limited` when the account has many waiting.
 */
export async function splitTextInChild(
  accountId: string,
  input: { title: string; body: string },
): Promise<{ title: string; body: string }[]> {
  if (input.body.length <= AT_ONCE) return splitText(input);
  try {
    return await inTurn(accountId, () => againIfStopped(() => splitApart(input)));
  } catch (error) {
    throw error instanceof ChildFailure ? refusalOf(error) : error;
  }
}

async function splitApart(input: {
  title: string;
  body: string;
}): Promise<{ title: string; body: string }[]> {
  const output: Buffer[] = [];
  await runChild(findEntry(FOLDERS, 'split-process.ts'), {
    input: [Buffer.from(JSON.stringify(input))],
    limits: LIMITS,
    onOutput: (chunk) => void output.push(chunk),
  });
  return JSON.parse(Buffer.concat(output).toString()) as { title: string; body: string }[];
}

/** What ended the process: the service, which says nothing of the text; its time; or whatever else the text asked for. */
function refusalOf({ reason }: ChildFailure): ServiceError {
  if (reason === 'stopped')
    return new ServiceError('unavailable', {
      message: 'La division de ce texte a été interrompue\u00a0: recommencez. Rien n’a été ajouté.',
    });
  const message =
    reason === 'time'
      ? 'Ce texte ne se divise pas en un temps raisonnable\u00a0: envoyez-le en plusieurs fois.'
      : 'Ce texte n’a pas pu être divisé\u00a0: envoyez-le en plusieurs fois.';
  return new ServiceError('invalid_request', { message, problems: [{ field: 'body', message }] });
}
