import type { AccountActor, MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { storable } from '#lib/core/input/storable-text.ts';
import { plural } from '#lib/core/text/plural.ts';
import { reachedBy, reaches } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { json } from '#lib/db/values.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { MemorySource } from '../templates.ts';
import { insertBatches } from './batches.ts';
import type { ImportedAlike } from './import-drafts.ts';
import { requireImportSpace } from './import-space.ts';
import type { MemoryDraft, Refusal } from './parse/types.ts';

/** Imports that an account is told of: beyond the latest ones, they are forgotten. A Space shows its last five. */
export const MAX_KEPT_IMPORTS = 500;

/** Refusals kept in full; the others are counted. */
export const KEPT_REFUSALS = 200;

export type ImportView = {
  id: string;
  spaceId: string;
  label: string;
  state: 'RUNNING' | 'DONE' | 'FAILED';
  done: number;
  total: number;
  created: number;
  updated: number;
  unchanged: number;
  refused: Refusal[];
  refusedCount: number;
  capacityFull: boolean;
  /** What it wrote that says nearly what other Memories say; the first ones of `similarCount`. */
  similar: ImportedAlike[];
  similarCount: number;
  createdAt: Date;
  finishedAt: Date | null;
  /** No process has been at work for a while: it has to be taken up again. */
  stalled: boolean;
};

const FIELDS = {
  id: true,
  spaceId: true,
  label: true,
  state: true,
  done: true,
  total: true,
  created: true,
  updated: true,
  unchanged: true,
  refused: true,
  refusedCount: true,
  capacityFull: true,
  similar: true,
  similarCount: true,
  createdAt: true,
  finishedAt: true,
  leaseUntil: true,
} as const;

type Row = Omit<ImportView, 'refused' | 'similar' | 'stalled'> & {
  refused: unknown;
  similar: unknown;
  leaseUntil: Date | null;
};

function view(
  ctx: Context<AccountActor>,
  { leaseUntil, refused, similar: found, similarCount, ...row }: Row,
): ImportView {
  const stalled = row.state === 'RUNNING' && (leaseUntil === null || leaseUntil < ctx.clock.now());
  // The importer may have been told of Spaces that this reader was not granted.
  const similar = (found as ImportedAlike[]).flatMap((one) => {
    const others = one.similar.filter(({ spaceId }) => reaches(ctx.actor, spaceId));
    return others.length === 0 ? [] : [{ ...one, similar: others }];
  });
  const counted = ctx.actor.spaces === undefined ? similarCount : similar.length;
  return { ...row, refused: refused as Refusal[], similar, similarCount: counted, stalled };
}

/**
 * Records an import about to run (`runImport` writes the Memories); the account's oldest ones beyond 500 are forgotten. Errors, nothing
 * recorded: by the rights of this moment, whatever they were as its files began to be read, `forbidden`, `not_found` (Space) and that of a closed account;
 * `invalid_request` when there is nothing to write, with the first reason.
 */
export async function startImport(
  ctx: Context<MemberActor>,
  input: {
    spaceId: string;
    label: string;
    source: MemorySource;
    drafts: readonly MemoryDraft[];
    refused: readonly Refusal[];
  },
): Promise<{ jobId: string }> {
  requireBrainWrite(ctx, input.spaceId);
  const { accountId, memberId } = ctx.actor;
  if (input.drafts.length === 0) {
    const [first] = input.refused;
    const others = input.refused.length - 1;
    const many = others > 0 ? ` (et ${others} ${plural(others, 'autre')} refus)` : '';
    const message = first
      ? `${first.reason} Rien n’a été importé${many}.`
      : 'Il n’y a rien à importer dans ces fichiers.';
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'files', message }] });
  }
  const now = ctx.clock.now();
  const jobId = createId('importJob', now);
  // Sending and reading files takes minutes: a member who was removed meanwhile, or lost the Space, must leave nothing to be written.
  const current = await withCurrentRights(ctx);
  await transaction(ctx, async (tx) => {
    await requireImportSpace(current, tx, input.spaceId);
    await requireOpenAccount(tx, ctx.actor, accountId);
    await tx
      .insertInto('ImportJob')
      .values({
        id: jobId,
        accountId,
        memberId,
        spaceId: input.spaceId,
        label: storable(input.label.slice(0, 300)),
        source: input.source,
        total: input.drafts.length,
        refused: json(input.refused.slice(0, KEPT_REFUSALS).map(storableRefusal)),
        refusedCount: input.refused.length,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await insertBatches(tx, jobId, input.drafts);
    await deleteOldest(tx, accountId, now);
    await recordAudits(tx, ctx, [
      {
        action: 'import.started',
        accountId,
        subject: { type: 'space', id: input.spaceId },
        data: { jobId, source: input.source, memories: input.drafts.length, refused: input.refused.length },
      },
    ]);
  });
  return { jobId };
}

/** Deletes the oldest reports of an account, and what one had still to write, unless a process is working on it. */
async function deleteOldest(tx: Transaction, accountId: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('ImportJob')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('ImportJob')
        .select('id')
        .where('accountId', '=', accountId)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_KEPT_IMPORTS)
        .forUpdate()
        .skipLocked(),
    )
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .execute();
}

/** A refusal as the database can store it: names come from the files, and one may hold what made its file be refused. */
function storableRefusal({ path, reason }: Refusal): Refusal {
  return { path: storable(path.slice(0, 1_000)), reason: storable(reason) };
}

/** Where one import is. Errors: `not_found`. */
export async function getImport(ctx: Context<AccountActor>, input: { jobId: string }): Promise<ImportView> {
  const row = await ctx.db.importJob.findFirst({
    where: { id: input.jobId, accountId: ctx.actor.accountId, AND: reachedBy('spaceId', ctx.actor) },
    select: FIELDS,
  });
  if (!row) throw new ServiceError('not_found', { message: 'Cet import est introuvable dans ce compte.' });
  return view(ctx, row);
}

/** How long a page shows what an import came to, after its end. */
const REPORTED_MS = 15 * 60_000;
/** More than anybody sends in that time. */
const MAX_LISTED = 50;

/** The imports of a Space that are running, and those that ended in the last 15 minutes, newest first. */
export async function listImports(
  ctx: Context<AccountActor>,
  input: { spaceId: string },
): Promise<ImportView[]> {
  const rows = await ctx.db.importJob.findMany({
    where: {
      spaceId: input.spaceId,
      accountId: ctx.actor.accountId,
      AND: reachedBy('spaceId', ctx.actor),
      OR: [{ state: 'RUNNING' }, { finishedAt: { gt: new Date(ctx.clock.now().getTime() - REPORTED_MS) } }],
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_LISTED,
    select: FIELDS,
  });
  return rows.map((row) => view(ctx, row));
}
