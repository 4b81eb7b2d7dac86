import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { isClosedMeanwhile } from '../account-closed.ts';
import type { Similar } from '../likeness/similar.ts';
import { addMemory } from '../memories/add-memory.ts';
import { textHash } from '../memories/text-hash.ts';
import { updateImported, updateMemory } from '../memories/update-memory.ts';
import type { MemorySource, PillarRole } from '../templates.ts';
import { requireImportSpace } from './import-space.ts';
import { isSameHash, KnownMemories, type KnownMemory } from './known-memories.ts';
import { filePathOf, importKeyOf } from './parse/draft-keys.ts';
import type { MemoryDraft, Refusal } from './parse/types.ts';

export type ImportReport = {
  created: number;
  updated: number;
  unchanged: number;
  /** What was not written, and what replaced an edit or another file's text, each with the reason in French. */
  refused: Refusal[];
  /** Whether the account's capacity ran out on the way. */
  capacityFull: boolean;
  /** Written Memories that nearly repeat others, of the same import included; the first SIMILAR_KEPT of `similarCount`. */
  similar: ImportedAlike[];
  similarCount: number;
};

/** A Memory that an import wrote, and those that it is much like. */
export type ImportedAlike = { path: string; id: string; title: string; similar: Similar[] };

/** Likenesses kept in full; the others are counted. */
const SIMILAR_KEPT = 200;

/** Where a Memory is now: its member may have moved it since it was imported. */
type Placed = { id: string; role: PillarRole };

const EDIT_REPLACED =
  'Elle avait été modifiée ici depuis le dernier import\u00a0; le texte importé a remplacé cette modification, que l’historique garde.';
const OTHER_REPLACED =
  'Un fichier importé auparavant sous ce chemin disait tout autre chose\u00a0: le texte de celui-ci l’a remplacé, et l’historique garde l’ancien. S’il s’agit d’un autre fichier, rétablissez l’ancien texte, renommez ce fichier, puis importez-le de nouveau.';

/**
 * Writes drafts into a Space, parents first: creates what is new, updates what changed since the last import and leaves the rest, edited or
 * not. Run again it duplicates nothing, even if the case of paths changed. An update that replaced an edit, or a quite different text, is
 * reported; of two drafts of one Memory the second is refused, unless the text is the same. When the capacity is full it goes on (a smaller
 * Memory may still fit) and reports what was left out. Errors: `not_found` (Space), `forbidden`, and that of an account closed meanwhile;
 * another refused draft does not stop the others.
 */
export async function importDrafts(
  ctx: Context<AccountActor>,
  input: {
    spaceId: string;
    drafts: Iterable<MemoryDraft> | AsyncIterable<MemoryDraft>;
    /** Source of what does not say its own. */
    source: MemorySource;
    /** Called after each draft; a rejection stops the import there, with everything before it written. */
    onProgress?: (done: number, report: ImportReport) => void | Promise<void>;
    /** Resumes an interrupted import: the first `done` drafts were written, and are in the report. */
    resume?: { done: number; report: ImportReport };
  },
): Promise<ImportReport> {
  await requireImportSpace(ctx, ctx.kysely, input.spaceId);
  const known = await KnownMemories.read(ctx, input.spaceId);
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
  // A file in parts is told once.
  const told = new Set(
    report.refused.filter(({ reason }) => reason === OTHER_REPLACED).map(({ path }) => path),
  );
  let done = 0;
  for await (const draft of input.drafts) {
    done += 1;
    if (done <= (input.resume?.done ?? 0)) {
      takeUp(known, placed, draft);
      continue;
    }
    try {
      const { outcome, similar, replaced } = await writeDraft(ctx, input, draft, known, placed);
      report[outcome] += 1;
      if (replaced === 'edit') report.refused.push({ path: draft.key, reason: EDIT_REPLACED });
      const file = filePathOf(draft.key);
      if (replaced === 'another' && !told.has(file)) {
        told.add(file);
        report.refused.push({ path: file, reason: OTHER_REPLACED });
      }
      if (similar.length > 0) {
        report.similarCount += 1;
        const id = placed.get(draft.key)?.id ?? '';
        if (report.similar.length < SIMILAR_KEPT)
          report.similar.push({ path: draft.key, id, title: draft.title, similar });
      }
    } catch (thrown) {
      const error = takenMeanwhile(thrown) ?? thrown;
      if (!(error instanceof ServiceError) || error.code === 'forbidden' || isClosedMeanwhile(error))
        throw error;
      if (error.code === 'capacity_full') report.capacityFull = true;
      report.refused.push({ path: draft.key, reason: reasonOf(error) });
    }
    await input.onProgress?.(done, report);
  }
  return report;
}

/** A concurrent import of the same thing wrote this one first. */
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

/** Why a draft was not written, in the words of an import, whose user has never seen a `parentId`. */
function reasonOf(error: ServiceError): string {
  if (error.code === 'capacity_full') return 'La capacité du compte ne suffit pas.';
  const aboutParent = error.options.problems?.find(({ field }) => field === 'parentId');
  if (error.code === 'not_found' && aboutParent) return parentMissing().message;
  return aboutParent?.message ?? error.message;
}

/** Replays a draft that was written or refused before the interruption. */
function takeUp(known: KnownMemories, placed: Map<string, Placed>, draft: MemoryDraft): void {
  const written = known.find(draft);
  if (!written) return;
  placed.set(draft.key, written);
  try {
    known.markBrought(written, draft);
  } catch (error) {
    // It is in the report already.
    if (!(error instanceof ServiceError)) throw error;
  }
}

type Outcome = {
  outcome: 'created' | 'updated' | 'unchanged';
  similar: Similar[];
  /** What the draft replaced, when that was more than the last imported text: an edit by a member, or a text with nothing in common. */
  replaced?: 'edit' | 'another' | null;
};

/** Writes a draft over its existing Memory, and remembers its text for the next import. */
async function writeOver(
  ctx: Context<AccountActor>,
  existing: KnownMemory,
  draft: MemoryDraft,
  source: MemorySource,
): Promise<Outcome> {
  const text = { memoryId: existing.id, title: draft.title, body: draft.body, kind: draft.kind };
  const hash = textHash(draft);
  // The export of a Space puts back what it holds, as often as it is asked to: written as an edit is, which a file's next import finds.
  const isExport = draft.id !== null;
  // The imported text has not changed since last time: a member's edits are kept.
  if (!isExport && isSameHash(existing.importedHash, hash)) return { outcome: 'unchanged', similar: [] };
  if (isSameHash(existing.textHash, hash)) {
    if (!isExport)
      await ctx.db.memory.updateMany({
        where: { id: existing.id, accountId: ctx.actor.accountId, deletedAt: null },
        data: { importedHash: hash },
      });
    return { outcome: 'unchanged', similar: [] };
  }
  if (isExport) {
    const { similar } = await updateMemory(ctx, { ...text, expectedVersion: null });
    return { outcome: 'updated', similar };
  }
  const { similar, editReplaced, isUnlike } = await updateImported(ctx, text);
  // A page of the web is the one at its address, whatever it has come to say.
  const replaced = editReplaced ? 'edit' : isUnlike && source === 'UPLOAD' ? 'another' : null;
  return { outcome: 'updated', similar, replaced };
}

async function writeDraft(
  ctx: Context<AccountActor>,
  input: { spaceId: string; source: MemorySource },
  draft: MemoryDraft,
  known: KnownMemories,
  placed: Map<string, Placed>,
): Promise<Outcome> {
  const existing = known.find(draft);
  if (existing) {
    placed.set(draft.key, existing);
    if (known.markBrought(existing, draft)) return { outcome: 'unchanged', similar: [] };
    await known.rename(ctx, existing, draft);
    return writeOver(ctx, existing, draft, draft.source ?? input.source);
  }
  const importKey = importKeyOf(draft);
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
  const hash = textHash(draft);
  const created = { id: memory.id, role: memory.role, importKey, textHash: hash, importedHash: hash };
  known.add(created);
  known.markBrought(created, draft);
  return { outcome: 'created', similar };
}
