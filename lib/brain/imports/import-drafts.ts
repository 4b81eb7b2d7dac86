import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { isClosedMeanwhile } from '../account-closed.ts';
import type { Similar } from '../likeness/similar.ts';
import { addMemory } from '../memories/add-memory.ts';
import { textHash, textHashOf } from '../memories/text-hash.ts';
import { updateImported, updateMemory } from '../memories/update-memory.ts';
import type { MemorySource, PillarRole } from '../templates.ts';
import { requireImportSpace } from './import-space.ts';
import type { MemoryDraft, Refusal } from './parse/types.ts';

export type ImportReport = {
  created: number;
  updated: number;
  unchanged: number;
  /** What was not written, and what was over an edit, each with the reason in French. */
  refused: Refusal[];
  /** Whether the account's capacity ran out on the way. */
  capacityFull: boolean;
  /** What was written and says nearly what other Memories say, those of the same import included; the first SIMILAR_KEPT of `similarCount`. */
  similar: ImportedAlike[];
  similarCount: number;
};

/** A Memory that an import wrote, and those that it is much like. */
export type ImportedAlike = { path: string; id: string; title: string; similar: Similar[] };

/** Likenesses kept in full; the others are counted. */
const SIMILAR_KEPT = 200;

/** Where a Memory is now: its member may have moved it since it was imported. */
type Placed = { id: string; role: PillarRole };
/** `importedHash`: of the text that the last import under its key brought; null where none did, or before this was remembered. */
type Known = Placed & { textHash: Uint8Array; importedHash: Uint8Array | null };

const EDIT_REPLACED =
  'Elle avait été modifiée ici depuis le dernier import\u00a0; le texte importé a remplacé cette modification, que l’historique garde.';

/**
 * Writes drafts into a Space, parents first: creates what is new, updates what changed since the last import, leaves the rest (edited since
 * or not), duplicates nothing when run again. An edit that an update replaced is told. When the capacity is full it goes on (a smaller Memory may
 * still fit) and says what was left out.
 * Errors: `not_found` (Space), `forbidden`, and that of an account closed meanwhile. Another draft that is refused does not stop the others.
 */
export async function importDrafts(
  ctx: Context<AccountActor>,
  input: {
    spaceId: string;
    drafts: Iterable<MemoryDraft> | AsyncIterable<MemoryDraft>;
    /** Source of what does not say its own. */
    source: MemorySource;
    /** Called after each draft; a rejection stops the import where it is, whole up to there. */
    onProgress?: (done: number, report: ImportReport) => void | Promise<void>;
    /** Takes up an import that was cut: the first `done` drafts were written, and are in the report. */
    resume?: { done: number; report: ImportReport };
  },
): Promise<ImportReport> {
  await requireImportSpace(ctx, ctx.kysely, input.spaceId);
  const known = await readKnown(ctx, input.spaceId);
  const report: ImportReport = input.resume?.report ?? {
    created: 0,
    updated: 0,
    unchanged: 0,
    refused: [],
    capacityFull: false,
    similar: [],
    similarCount: 0,
  };
  const placed = new Map<string, Placed>();
  let done = 0;
  for await (const draft of input.drafts) {
    done += 1;
    if (done <= (input.resume?.done ?? 0)) {
      const written = known.get(importKeyOf(draft));
      if (written) placed.set(draft.key, written);
      continue;
    }
    try {
      const { outcome, similar, editReplaced } = await writeDraft(ctx, input, draft, known, placed);
      report[outcome] += 1;
      if (editReplaced) report.refused.push({ path: draft.sourceRef ?? draft.key, reason: EDIT_REPLACED });
      if (similar.length > 0) {
        report.similarCount += 1;
        const id = placed.get(draft.key)?.id ?? '';
        if (report.similar.length < SIMILAR_KEPT)
          report.similar.push({ path: draft.sourceRef ?? draft.key, id, title: draft.title, similar });
      }
    } catch (thrown) {
      const error = takenMeanwhile(thrown) ?? thrown;
      if (!(error instanceof ServiceError) || error.code === 'forbidden' || isClosedMeanwhile(error))
        throw error;
      if (error.code === 'capacity_full') report.capacityFull = true;
      report.refused.push({ path: draft.sourceRef ?? draft.key, reason: reasonOf(error) });
    }
    await input.onProgress?.(done, report);
  }
  return report;
}

/** Another import of the same thing, at the same moment, wrote this one first. */
function takenMeanwhile(thrown: unknown): ServiceError | null {
  if (!isUniqueViolation(thrown)) return null;
  return new ServiceError('conflict', { message: 'Un autre import l’a écrite au même moment.' });
}

/** A draft whose parent was refused, or was deleted meanwhile. */
function parentMissing(): ServiceError {
  return new ServiceError('not_found', {
    message: 'La mémoire sous laquelle elle se range n’a pas été importée.',
  });
}

/** Why a draft was not written, in the words of an import: who imports knows no `parentId`. */
function reasonOf(error: ServiceError): string {
  if (error.code === 'capacity_full') return 'La capacité du compte est pleine.';
  const aboutParent = error.options.problems?.find(({ field }) => field === 'parentId');
  if (error.code === 'not_found' && aboutParent) return parentMissing().message;
  return aboutParent?.message ?? error.message;
}

async function readKnown(ctx: Context<AccountActor>, spaceId: string): Promise<Map<string, Known>> {
  const { accountId } = ctx.actor;
  // A Space may hold more text than a process should: the database says by a hash what each one says.
  const rows = await ctx.kysely
    .selectFrom('Memory')
    .select(['id', 'role', 'importKey', 'importedHash', textHashOf('Memory').as('textHash')])
    .where('spaceId', '=', spaceId)
    .where('accountId', '=', accountId)
    .where('deletedAt', 'is', null)
    .execute();
  const known = new Map<string, Known>();
  for (const row of rows) {
    known.set(`id:${row.id}`, row);
    if (row.importKey !== null) known.set(row.importKey, row);
  }
  return known;
}

function isSame(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && Buffer.compare(a, b) === 0;
}

function importKeyOf(draft: MemoryDraft): string {
  return draft.id === null ? `path:${draft.key}` : `id:${draft.id}`;
}

type Outcome = { outcome: 'created' | 'updated' | 'unchanged'; similar: Similar[]; editReplaced?: boolean };

/** Brings a draft to the Memory that is there for it, and remembers what it brought, for the import after. */
async function writeOver(ctx: Context<AccountActor>, existing: Known, draft: MemoryDraft): Promise<Outcome> {
  const text = { memoryId: existing.id, title: draft.title, body: draft.body, kind: draft.kind };
  const hash = textHash(draft);
  // The export of a Space puts back what it holds, as often as it is asked to: written as an edit is, which a file's next import finds.
  const isExport = draft.id !== null;
  // Nothing new was brought: what a member made of it since stays.
  if (!isExport && isSame(existing.importedHash, hash)) return { outcome: 'unchanged', similar: [] };
  if (isSame(existing.textHash, hash)) {
    if (!isExport)
      await ctx.db.memory.updateMany({
        where: { id: existing.id, accountId: ctx.actor.accountId, deletedAt: null },
        data: { importedHash: hash },
      });
    return { outcome: 'unchanged', similar: [] };
  }
  if (!isExport) return { outcome: 'updated', ...(await updateImported(ctx, text)) };
  const { similar } = await updateMemory(ctx, { ...text, expectedVersion: null });
  return { outcome: 'updated', similar };
}

async function writeDraft(
  ctx: Context<AccountActor>,
  input: { spaceId: string; source: MemorySource },
  draft: MemoryDraft,
  known: ReadonlyMap<string, Known>,
  placed: Map<string, Placed>,
): Promise<Outcome> {
  const importKey = importKeyOf(draft);
  const existing = known.get(importKey);
  if (existing) {
    placed.set(draft.key, existing);
    return writeOver(ctx, existing, draft);
  }
  const parent = draft.parentKey === null ? null : placed.get(draft.parentKey);
  if (parent === undefined) throw parentMissing();
  const { memory, similar } = await addMemory(ctx, {
    spaceId: input.spaceId,
    pillar: parent?.role ?? draft.pillar,
    title: draft.title,
    body: draft.body,
    parentId: parent?.id ?? null,
    kind: draft.kind,
    source: draft.source ?? input.source,
    sourceRef: draft.sourceRef,
    file: draft.file,
    idempotencyKey: null,
    imported: { key: importKey, createdAt: draft.createdAt, updatedAt: draft.updatedAt },
  });
  placed.set(draft.key, memory);
  return { outcome: 'created', similar };
}
