import { join } from 'node:path';
import { createFairSlots } from '#lib/core/child-process/fair-slots.ts';
import { ChildFailure, type ChildLimits, findEntry, runChild } from '#lib/core/child-process/run-child.ts';
import type { PillarRole } from '../../templates.ts';
import type { FetchedPage } from '../parse/page.ts';
import type { MemoryDraft, Parsed, Refusal } from '../parse/types.ts';
import type { ReaderJob, ReaderLine } from './protocol.ts';

type ReaderLimits = ChildLimits & {
  /** Once a file has crashed a try and this long has passed, further tries leave out the PDFs: only they are slow. */
  budgetMs: number;
};

const LIMITS: ReaderLimits = {
  heapMb: 512,
  /** For one file: the clock starts again with each. */
  timeoutMs: 20_000,
  totalMs: 150_000,
  /** The text of a full archive, and what JSON adds. */
  maxOutputBytes: 160 * 1024 * 1024,
  budgetMs: 60_000,
};

// A literal path from the working directory: the form that Next's file tracing recognises.
const FOLDERS = [import.meta.dirname ?? '', join(process.cwd(), 'lib', 'brain', 'imports', 'child-process')];

const FORM = /^multipart\/form-data\s*;.*boundary=/i;

/** Waiting forms are held in memory, 50 MB each at most. */
const inTurn = createFairSlots({ count: 2, waitingPerOwner: 2 });

type ReadForm = {
  files: number;
  /** Name of the first one. */
  first: string;
  drafts: MemoryDraft[];
  refused: Refusal[];
};

/**
 * Reads the files of an account's multipart form in a process of its own, two at once at most and one for the same account. A file that
 * crashes the reader (time, memory) is refused, and the others are read again without it. Refuses, in French, what is no form, more than 2,000
 * files, or more text than an import may hold. Errors: `rate_limited` when too many forms of the account are waiting.
 */
export async function readUploadInChild(
  form: { accountId: string; contentType: string; bytes: Uint8Array },
  limits: ReaderLimits = LIMITS,
): Promise<Parsed<ReadForm>> {
  // A process costs half a second of CPU: what is plainly no form is refused without one.
  if (!FORM.test(form.contentType)) return refusal('Cet envoi n’a pas pu être lu.');
  return inTurn(form.accountId, async () => {
    const skipped: Refusal[] = [];
    const startedAt = performance.now();
    for (;;) {
      // A first try always reads everything.
      const isLate = skipped.length > 0 && performance.now() - startedAt > limits.budgetMs;
      const withoutPdf = isLate
        ? 'Cet envoi a pris trop de temps\u00a0: ce PDF n’a pas été lu, envoyez-le seul.'
        : undefined;
      const reading = new Reading();
      const job: ReaderJob = { kind: 'upload', contentType: form.contentType, skipped, withoutPdf };
      const failure = await read(job, form.bytes, reading, limits);
      if (!failure) return reading.failed ?? { ok: true, ...reading.form, ...reading.found() };
      if (failure.reason === 'output')
        return refusal('Cet envoi contient plus de texte qu’un import n’en prend.');
      // A file is excluded once: when no file, or the same one, crashes the reader again, nothing of this form can be read.
      const path = reading.begun;
      if (path === null || skipped.some((known) => known.path === path))
        return refusal(SENTENCES[failure.reason]);
      skipped.push({ path, reason: SENTENCES[failure.reason] });
    }
  });
}

/** The Memories of a fetched page, read in a process of its own. Refuses, in French, what cannot be read within its limits. */
export async function readPageInChild(
  { bytes, accountId, ...page }: FetchedPage & { accountId: string },
  pillar: PillarRole,
  limits: ReaderLimits = LIMITS,
): Promise<Parsed<{ drafts: MemoryDraft[] }>> {
  return inTurn(accountId, async () => {
    const reading = new Reading();
    const failure = await read({ kind: 'page', ...page, pillar }, bytes, reading, limits);
    if (failure) return refusal(PAGE_SENTENCES[failure.reason]);
    return reading.failed ?? { ok: true, drafts: reading.found().drafts };
  });
}

type Reason = ChildFailure['reason'];

const SENTENCES: Record<Reason, string> = {
  time: 'La lecture de ce fichier prend trop de temps.',
  memory: 'Ce fichier est trop lourd pour être lu\u00a0: divisez-le.',
  output: 'Ce fichier contient trop de texte.',
  exit: 'Ce fichier n’a pas pu être lu.',
  stopped: 'La lecture de ce fichier a été interrompue\u00a0: recommencez.',
};

const PAGE_SENTENCES: Record<Reason, string> = {
  time: 'La lecture de cette page prend trop de temps.',
  memory: 'Cette page est trop lourde pour être lue.',
  output: 'Cette page contient trop de texte.',
  exit: 'Cette page n’a pas pu être lue.',
  stopped: 'La lecture de cette page a été interrompue\u00a0: recommencez.',
};

function refusal(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

async function read(
  job: ReaderJob,
  bytes: Uint8Array,
  reading: Reading,
  limits: ReaderLimits,
): Promise<ChildFailure | null> {
  try {
    await runChild(findEntry(FOLDERS, 'reader-process.ts'), {
      input: [Buffer.from(`${JSON.stringify(job)}\n`), bytes],
      limits,
      onOutput: (chunk, restart) => {
        restart();
        reading.take(chunk);
      },
    });
    return reading.isDone ? null : new ChildFailure('exit');
  } catch (error) {
    if (error instanceof ChildFailure) return error;
    throw error;
  }
}

/** What one reading process has said so far. */
class Reading {
  form = { files: 0, first: '' };
  /** The file that was begun last. */
  begun: string | null = null;
  failed: { ok: false; reason: string } | null = null;
  isDone = false;
  readonly #drafts: MemoryDraft[] = [];
  readonly #refused: Refusal[] = [];
  #pending: Buffer[] = [];

  /** Takes the lines that a chunk ends; the rest waits for the next chunk. */
  take(chunk: Buffer): void {
    let from = 0;
    for (let feed = chunk.indexOf(10); feed !== -1; feed = chunk.indexOf(10, from)) {
      this.#pending.push(chunk.subarray(from, feed));
      this.#line(JSON.parse(Buffer.concat(this.#pending).toString()) as ReaderLine);
      this.#pending = [];
      from = feed + 1;
    }
    if (from < chunk.length) this.#pending.push(chunk.subarray(from));
  }

  found(): { drafts: MemoryDraft[]; refused: Refusal[] } {
    return { drafts: this.#drafts, refused: this.#refused };
  }

  #line(line: ReaderLine): void {
    if ('draft' in line) this.#drafts.push(reviveDraft(line.draft));
    else if ('refused' in line) this.#refused.push(line.refused);
    else if ('begin' in line) this.begun = line.begin;
    else if ('form' in line) this.form = line.form;
    else if ('failed' in line) this.failed = refusal(line.failed);
    else this.isDone = true;
  }
}

/** A draft as JSON gives it back: its dates are texts. */
export function reviveDraft(draft: MemoryDraft): MemoryDraft {
  const date = (value: unknown) => (typeof value === 'string' ? new Date(value) : null);
  return { ...draft, createdAt: date(draft.createdAt), updatedAt: date(draft.updatedAt) };
}
