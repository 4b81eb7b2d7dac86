import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { memoryNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { MemoryKind, PillarRole } from '../templates.ts';
import { updateMemory } from './update-memory.ts';

export type RevisionChange = 'CREATED' | 'EDITED' | 'MOVED' | 'DELETED' | 'RESTORED';

export type RevisionEntry = {
  version: number;
  change: RevisionChange;
  title: string;
  at: Date;
  /** Name of the member, of the key or of the application that wrote it. */
  by: string;
};

/** Entries of one page of history. */
const HISTORY_PAGE = 50;

const HISTORY = `
SELECT r.version, r.change::text AS change, r.title, r."createdAt" AS at,
  COALESCE(m.name, k.name, CASE split_part(r.actor, ':', 1) WHEN 'oauth' THEN 'Une application' WHEN 'admin' THEN 'Administration'
    ELSE 'Atelier' END) AS by
FROM "MemoryRevision" r
LEFT JOIN "Member" m ON m."accountId" = $1 AND r.actor = 'member:' || m.id
LEFT JOIN "DeveloperKey" k ON k."accountId" = $1 AND r.actor = 'key:' || k.id
WHERE r."accountId" = $1 AND r."memoryId" = $2 AND r.version < $3
ORDER BY r.version DESC LIMIT ${HISTORY_PAGE + 1}`;

/** What happened to a Memory, latest first, 50 at a time; a deleted one keeps its history. Errors: `not_found`. */
export async function listRevisions(
  ctx: Context<AccountActor>,
  input: { memoryId: string; before?: number },
): Promise<{ revisions: RevisionEntry[]; more: boolean }> {
  const rows = await ctx.sql.rows<RevisionEntry>('list-revisions', HISTORY, [
    ctx.actor.accountId,
    input.memoryId,
    input.before ?? 2_147_483_647,
  ]);
  if (rows.length === 0 && input.before === undefined) throw memoryNotFound();
  return { revisions: rows.slice(0, HISTORY_PAGE), more: rows.length > HISTORY_PAGE };
}

export type RevisionText = {
  version: number;
  title: string;
  body: string;
  kind: MemoryKind;
  role: PillarRole;
  change: RevisionChange;
};

/** One version of a Memory and the text it replaced (null for the first one). Errors: `not_found`. */
export async function getRevision(
  ctx: Context<AccountActor>,
  input: { memoryId: string; version: number },
): Promise<{ revision: RevisionText; previous: RevisionText | null }> {
  const rows = await ctx.db.memoryRevision.findMany({
    where: {
      accountId: ctx.actor.accountId,
      memoryId: input.memoryId,
      version: { in: [input.version, input.version - 1] },
    },
    orderBy: { version: 'desc' },
    select: { version: true, title: true, body: true, kind: true, role: true, change: true },
  });
  const [revision, previous] = rows;
  if (revision?.version !== input.version)
    throw new ServiceError('not_found', { message: 'Cette version est introuvable.' });
  return { revision, previous: previous ?? null };
}

/**
 * Makes a former version the current one, as a new version: nothing is lost, and it can be taken back. Errors: those of
 * `updateMemory`, and `not_found` for a version that never was.
 */
export async function restoreRevision(
  ctx: Context<AccountActor>,
  input: { memoryId: string; version: number; expectedVersion: number | null },
): Promise<{ version: number }> {
  requireBrainWrite(ctx);
  const { revision } = await getRevision(ctx, input);
  return updateMemory(ctx, {
    memoryId: input.memoryId,
    expectedVersion: input.expectedVersion,
    title: revision.title,
    body: revision.body,
    kind: revision.kind,
    change: 'RESTORED',
  });
}
