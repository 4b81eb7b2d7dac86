import { sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { RevisionChange } from '#lib/db/generated/tables.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import { memoryNotFound } from '../not-found.ts';
import { canWriteIn, requireBrainWrite } from '../require-brain-write.ts';
import type { MemoryKind, PillarRole } from '../templates.ts';
import { updateMemory } from './update-memory.ts';

export type { RevisionChange };

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

/** A deleted Memory keeps its history for those who may write, and could bring it back; to a reader it is missing (`not_found`). */
async function requireReadableHistory(ctx: Context<AccountActor>, memoryId: string): Promise<void> {
  const { accountId, spaces } = ctx.actor;
  if (spaces === undefined && hasPermission(ctx.actor, 'brain.write')) return;
  const row = await ctx.db.memory.findFirst({
    where: { id: memoryId, accountId, AND: reachedBy('spaceId', ctx.actor) },
    select: { spaceId: true, deletedAt: true },
  });
  if (!row || (row.deletedAt !== null && !canWriteIn(ctx.actor, row.spaceId))) throw memoryNotFound();
}

/** What happened to a Memory, latest first, 50 at a time; a deleted one keeps its history, for who may write. Errors: `not_found`. */
export async function listRevisions(
  ctx: Context<AccountActor>,
  input: { memoryId: string; before?: number },
): Promise<{ revisions: RevisionEntry[]; more: boolean }> {
  await requireReadableHistory(ctx, input.memoryId);
  const { accountId } = ctx.actor;
  const rows = await ctx.kysely
    .selectFrom('MemoryRevision as r')
    .leftJoin('Member as m', (join) =>
      join.on('m.accountId', '=', accountId).on('r.actor', '=', (eb) => sql`'member:' || ${eb.ref('m.id')}`),
    )
    .leftJoin('DeveloperKey as k', (join) =>
      join.on('k.accountId', '=', accountId).on('r.actor', '=', (eb) => sql`'key:' || ${eb.ref('k.id')}`),
    )
    .select([
      'r.version',
      'r.change',
      'r.title',
      'r.createdAt as at',
      'm.name as memberName',
      'k.name as keyName',
      'r.actor',
    ])
    .where('r.accountId', '=', accountId)
    .where('r.memoryId', '=', input.memoryId)
    .where('r.version', '<', input.before ?? 2_147_483_647)
    .orderBy('r.version', 'desc')
    .limit(HISTORY_PAGE + 1)
    .execute();
  const entries = rows.map(
    ({ memberName, keyName, actor, ...row }): RevisionEntry => ({
      ...row,
      by: memberName ?? keyName ?? writerLabel(actor),
    }),
  );
  if (rows.length === 0 && input.before === undefined) throw memoryNotFound();
  return { revisions: entries.slice(0, HISTORY_PAGE), more: entries.length > HISTORY_PAGE };
}

/** Who wrote a revision, when it is neither a member nor a key of the account. */
function writerLabel(actor: string): string {
  if (actor.startsWith('oauth:')) return 'Une application';
  return actor.startsWith('admin') ? 'Administration' : 'Atelier';
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
  await requireReadableHistory(ctx, input.memoryId);
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
  const { version } = await updateMemory(ctx, {
    memoryId: input.memoryId,
    expectedVersion: input.expectedVersion,
    title: revision.title,
    body: revision.body,
    kind: revision.kind,
    change: 'RESTORED',
  });
  return { version };
}
