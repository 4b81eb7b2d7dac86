import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { AssetState, AssetType } from '#lib/db/generated/prisma/client.ts';
import { type Review, reviewsOf } from '../file-states.ts';
import type { KeepReason } from '../keep-reason.ts';
import { readFileRetention } from './read-file-retention.ts';

/** A file of a generation and what becomes of it. */
export type GenerationFile = {
  id: string;
  generationId: string;
  pathname: string;
  type: AssetType;
  state: AssetState;
  createdAt: Date;
  reviewedAt: Date | null;
  reviewedBy: string | null;
  /** Why it was rejected. */
  reviewReason: string | null;
  concept: { id: string; name: string } | null;
  /** What keeps it whatever its age; null: only its age does, or nothing. */
  lasting: KeepReason | null;
  /** When it expires if nothing changes; null when something keeps it. */
  expiresAt: Date | null;
  /** What quality control may decide now. */
  reviews: Review[];
};

const MAX_GENERATIONS = 200;

/**
 * The files that are left of some generations of the account, in their order, each with why it is kept or when it expires: the
 * very rule of the nightly retention. At most 200 generations.
 */
export async function readGenerationFiles(
  ctx: Context<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<GenerationFile[]> {
  const assets = await ctx.db.asset.findMany({
    where: {
      accountId: ctx.actor.accountId,
      generationId: { in: input.generationIds.slice(0, MAX_GENERATIONS) },
      deletedAt: null,
    },
    orderBy: [{ generationId: 'asc' }, { position: 'asc' }],
    select: {
      id: true,
      generationId: true,
      pathname: true,
      type: true,
      state: true,
      createdAt: true,
      reviewedAt: true,
      reviewedBy: true,
      reviewReason: true,
      concept: { select: { id: true, name: true, deletedAt: true } },
    },
  });
  const retentions = await readFileRetention(ctx, { assetIds: assets.map(({ id }) => id) });
  const retentionOf = new Map(retentions.map((one) => [one.assetId, one]));
  return assets.map(({ concept, generationId, ...asset }) => ({
    ...asset,
    generationId: generationId ?? '',
    concept: concept && concept.deletedAt === null ? { id: concept.id, name: concept.name } : null,
    lasting: retentionOf.get(asset.id)?.lasting ?? null,
    expiresAt: retentionOf.get(asset.id)?.expiresAt ?? null,
    reviews: reviewsOf(asset.state),
  }));
}
