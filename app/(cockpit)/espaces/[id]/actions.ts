'use server';
import { z } from 'zod';
import { requireImportSpace } from '#lib/brain/imports/import-space.ts';
import { getImport, startImport } from '#lib/brain/imports/jobs.ts';
import { readPage } from '#lib/brain/imports/read-page.ts';
import { runImport } from '#lib/brain/imports/run-import.ts';
import { addMemory as add } from '#lib/brain/memories/add-memory.ts';
import { addParts } from '#lib/brain/memories/add-parts.ts';
import { deleteMemory as remove } from '#lib/brain/memories/delete-memory.ts';
import { restoreRevision as restore } from '#lib/brain/memories/history.ts';
import { moveMemory as move } from '#lib/brain/memories/move-memory.ts';
import { type SaveOutcome, saveMemory as save } from '#lib/brain/memories/save-memory.ts';
import { undoDelete as undo } from '#lib/brain/memories/undo-delete.ts';
import {
  BODY_TOO_LONG,
  dividedBody,
  MAX_DIVIDED_LENGTH,
  memoryBody,
  memoryTitle,
} from '#lib/brain/schemas/memories.ts';
import { MAX_VERSION } from '#lib/brain/schemas/revisions.ts';
import { PILLAR_ROLES } from '#lib/brain/templates.ts';
import { fitsMemory } from '#lib/brain/text/fits-memory.ts';
import { splitTextInChild } from '#lib/brain/text/split-in-child.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';

const permission = 'brain.write' as const;
const pillar = z.enum(PILLAR_ROLES, 'Choisissez un pilier.');
const id = z.string().min(1).max(64);
const place = { pillar, parentId: id.nullable() };
const optionalId = z.preprocess((value) => (value === '' ? null : value), id.nullish());

/** Adds one Memory, or its parts if the author asked for it. Idempotent by key. */
export const addMemory = memberAction({
  permission,
  schema: z
    .object({
      spaceId: id,
      pillar,
      parentId: optionalId,
      title: memoryTitle,
      body: dividedBody,
      split: z.boolean().optional(),
      key: z.string().regex(/^[\w-]{8,64}$/),
    })
    .refine(({ body, split }) => split || fitsMemory(body), { path: ['body'], message: BODY_TOO_LONG }),
  async run(ctx, { split, key, parentId, ...input }) {
    const one = { ...input, parentId: parentId ?? null, source: 'MANUAL' as const };
    if (split) {
      const { memoryId, added, similar } = await addParts(ctx, { ...one, key: `cockpit-${key}` });
      // A text changed since the offer may result in one part.
      if (added > 1)
        return { message: `${added} mémoires ajoutées`, data: { id: memoryId, similar, divided: true } };
      return { message: 'Mémoire ajoutée', data: { id: memoryId, similar, divided: false } };
    }
    const { memory, similar } = await add(ctx, { ...one, idempotencyKey: `cockpit-${key}` });
    return { message: 'Mémoire ajoutée', data: { id: memory.id, similar, divided: false } };
  },
});

/** The titles of the parts that a long text would be divided into; writes nothing. */
export const previewParts = memberCall({
  permission,
  schema: z.object({ title: z.string(), body: z.string().max(MAX_DIVIDED_LENGTH) }),
  run: async (ctx, input) => ({
    data: { titles: (await splitTextInChild(ctx.actor.accountId, input)).map((part) => part.title) },
  }),
});

/** The outcome, with the current text: the one stored now, or the one that another author stored meanwhile. */
type SavedText = SaveOutcome & { title: string; body: string };

export const saveMemory = memberAction({
  permission,
  schema: z.object({
    memoryId: id,
    openedVersion: z.coerce.number().int().positive().max(MAX_VERSION),
    title: memoryTitle,
    body: memoryBody,
  }),
  async run(ctx, input): Promise<{ message?: string; data: SavedText }> {
    const data = await save(ctx, input);
    if (data.outcome === 'conflict') return { data };
    return { message: 'Mémoire enregistrée', data: { ...data, title: input.title, body: input.body } };
  },
});

export const moveMemory = memberCall({
  permission,
  schema: z.object({ memoryId: id, ...place, shown: z.object(place).optional() }),
  run: async (ctx, input) => ({ data: await move(ctx, input) }),
});

export const deleteMemory = memberCall({
  permission,
  schema: z.object({ memoryId: id }),
  run: async (ctx, input) => ({ data: await remove(ctx, input) }),
});

export const undoDelete = memberCall({
  permission,
  schema: z.object({ deletionId: id }),
  run: async (ctx, input) => ({ data: await undo(ctx, input) }),
});

export const restoreRevision = memberCall({
  permission,
  schema: z.object({
    memoryId: id,
    version: z.number().int().positive().max(MAX_VERSION),
    expectedVersion: z.number().int().positive().max(MAX_VERSION),
  }),
  run: async (ctx, input) => ({ data: await restore(ctx, input) }),
});

/** Fetches a web page now, and writes its Memories after the response. */
export const importPage = memberAction({
  permission,
  schema: z.object({ spaceId: id, pillar, url: z.string() }),
  async run(ctx, { spaceId, url, pillar: role }) {
    await requireImportSpace(ctx, ctx.kysely, spaceId);
    const { drafts, label } = await readPage({ accountId: ctx.actor.accountId, url, pillar: role });
    const { jobId } = await startImport(ctx, { spaceId, label, source: 'WEBSITE', drafts, refused: [] });
    runLater('import.failed', () => runImport(ctx, { jobId }), { jobId });
    return { data: await getImport(ctx, { jobId }) };
  },
});
