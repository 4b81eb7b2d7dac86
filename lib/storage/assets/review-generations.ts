import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { AssetState } from '#lib/db/generated/tables.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { canReview, REVIEWS, type Review } from '../file-states.ts';
import { MAX_CHOSEN, MAX_REVIEWED } from '../limits.ts';
import { requireGenerate } from '../refusals.ts';
import { withRetentionPaused } from '../retention-lock.ts';
import { isJudgedMeanwhile, judgedMeanwhile, tellJudged } from './judged-meanwhile.ts';
import { requireReason, writeReview } from './review-asset.ts';

type ReviewedGenerations = {
  /** Files that changed state, in the order of their identifiers. */
  assetIds: string[];
  /** Files left as they were: decided so already, or final. */
  unchanged: number;
  /** Files that others have judged otherwise since the page showed them: they stay too. Absent: none. */
  meanwhile?: { files: number; sentence: string };
};

/** What a page showed of the files of some rows. */
export type ShownStates = {
  /** By the identifier of the file. */
  files: Readonly<Record<string, AssetState>>;
  /** Of the files that it had not read yet, what its list is filtered by. */
  others?: AssetState | undefined;
};

/**
 * Approves or rejects every file of some rows of the journal at once: all that may, in one transaction; the others are counted and
 * stay. Rows of another account hold no file. Each is audited like one that is decided alone. What others have judged otherwise since it was
 * `shown` stays, and is told. Errors: `invalid` (`reason`; `generationIds` with more than `MAX_REVIEWED` files), `conflict` when nothing else is left to decide.
 */
export async function reviewGenerations(
  ctx: Context<AccountActor>,
  input: {
    generationIds: readonly string[];
    review: Exclude<Review, 'deliver'>;
    reason?: string | undefined;
    shown?: ShownStates | undefined;
  },
): Promise<ReviewedGenerations> {
  requireGenerate(ctx);
  const { accountId } = ctx.actor;
  const state = REVIEWS[input.review];
  const reviewReason = requireReason(input.review, input.reason);
  return withRetentionPaused(ctx, async (tx) => {
    const files = await tx
      .selectFrom('Asset')
      .select(['id', 'state', 'generationId', 'reviewedAt', 'reviewedBy'])
      .where('accountId', '=', accountId)
      .where(isAnyOf('generationId', input.generationIds.slice(0, MAX_CHOSEN)))
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .orderBy('id')
      .limit(MAX_REVIEWED + 1)
      .forUpdate()
      .execute();
    // Refused, never cut: the rest would look as if it were decided too.
    if (files.length > MAX_REVIEWED)
      throw new ServiceError('invalid', {
        detail: 'generationIds',
        message: sentences.reviewTooMany.replace('{most}', MAX_REVIEWED.toLocaleString('fr-FR')),
      });
    const { shown } = input;
    const judged = files.filter((file) =>
      isJudgedMeanwhile(file, shown && shownState(shown, file.id), state),
    );
    const allowed = files.filter((file) => canReview(file.state, input.review) && !judged.includes(file));
    const told = judged.length > 0 ? await tellJudged(tx, ctx, judged) : null;
    if (told && allowed.length === 0) throw judgedMeanwhile(told);
    const assetIds = allowed.map(({ id }) => id);
    if (allowed.length > 0) await writeReview(tx, ctx, allowed, { state, reviewReason });
    return {
      assetIds,
      unchanged: files.length - assetIds.length - judged.length,
      ...(told
        ? {
            meanwhile: {
              files: judged.length,
              sentence: `${told} entre-temps\u00a0: ${judged.length > 1 ? 'ils restent' : 'il reste'} ainsi.`,
            },
          }
        : {}),
    };
  });
}

const shownState = ({ files, others }: ShownStates, assetId: string) =>
  Object.hasOwn(files, assetId) ? files[assetId] : others;
