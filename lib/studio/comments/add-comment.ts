import { sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { isBlank } from '#lib/core/text/blank.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { MAX_COMMENTS } from './list-comments.ts';
import { listMentionable } from './list-mentionable.ts';
import { mentionedIn, withTokens } from './mentions.ts';

const COMMENT_MAX = 2_000;
const MAX_MENTIONS = 20;

const refuse = (message: string) =>
  new ServiceError('invalid', { detail: 'text', problems: [{ field: 'text', message }] });

/**
 * Adds a comment to a generation, for the members of the account. Members named after an @ who may read the journal, other than the author,
 * are told by the daily mail. Audited `generation.commented`. Errors: `forbidden`, `not_found`, `invalid` (`text`), `conflict` beyond 200
 * comments, or for a `key` used for another text or whose comment was deleted; the same comment under the same key is written once, and
 * returned again.
 */
export async function addComment(
  ctx: Context<MemberActor>,
  input: { generationId: string; text: string; key?: string | undefined },
): Promise<{ id: string; mentioned: number }> {
  if (!hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
  const typed = input.text.trim();
  if (isBlank(typed) || typed.length > COMMENT_MAX)
    throw refuse(`Un commentaire compte de 1 à ${COMMENT_MAX.toLocaleString('fr-FR')} caractères.`);
  const { accountId, memberId } = ctx.actor;
  const members = await listMentionable(ctx);
  const text = withTokens(typed, members);
  const known = new Set(members.map(({ id }) => id));
  const mentioned = mentionedIn(text).filter((id) => id !== memberId && known.has(id));
  if (mentioned.length > MAX_MENTIONS) throw refuse(`Un commentaire nomme ${MAX_MENTIONS} membres au plus.`);
  const now = ctx.clock.now();
  const id = createId('comment', now);
  const { key = null } = input;
  return transaction(ctx, async (tx) => {
    // Comments of one generation wait for each other: what is counted or found by its key next stays true.
    const row = await tx
      .selectFrom('Generation')
      .select('id')
      .where('id', '=', input.generationId)
      .where('accountId', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!row) throw new ServiceError('not_found');
    const first = key === null ? undefined : await findSent(tx, { generationId: row.id, memberId, key });
    if (first && first.text !== text)
      throw new ServiceError('conflict', {
        message: 'Ce commentaire est déjà publié, avec un autre texte. Rechargez la page pour le lire.',
      });
    if (first) return { id: first.id, mentioned: first.mentioned };
    if (key !== null && (await isDeleted(tx, { accountId, generationId: row.id, memberId, key })))
      throw new ServiceError('conflict', {
        message:
          'Ce commentaire a été publié, puis supprimé\u00a0: il n’est pas publié de nouveau. Changez-en un mot pour en publier un autre.',
      });
    const { comments } = await tx
      .selectFrom('GenerationComment')
      .select(countRows.as('comments'))
      .where('generationId', '=', row.id)
      .executeTakeFirstOrThrow();
    if (comments >= MAX_COMMENTS)
      throw new ServiceError('conflict', {
        message: `Cette génération a déjà ${MAX_COMMENTS} commentaires.`,
      });
    await tx
      .insertInto('GenerationComment')
      .values({ id, accountId, generationId: row.id, memberId, text, key, createdAt: now })
      .execute();
    if (mentioned.length > 0)
      await tx
        .insertInto('GenerationMention')
        .values(
          mentioned.map((one) => ({
            id: createId('mention', now),
            accountId,
            commentId: id,
            memberId: one,
            createdAt: now,
          })),
        )
        .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'generation.commented',
        accountId,
        subject: { type: 'generation', id: row.id },
        data: { commentId: id, mentions: mentioned.length },
      },
    ]);
    return { id, mentioned: mentioned.length };
  });
}

/** What a member wrote on a generation under a key, and how many members it named. */
async function findSent(tx: Transaction, by: { generationId: string; memberId: string; key: string }) {
  const sent = await tx
    .selectFrom('GenerationComment')
    .select(['id', 'text'])
    .where('generationId', '=', by.generationId)
    .where('memberId', '=', by.memberId)
    .where('key', '=', by.key)
    .executeTakeFirst();
  if (!sent) return undefined;
  const { mentioned } = await tx
    .selectFrom('GenerationMention')
    .select(countRows.as('mentioned'))
    .where('commentId', '=', sent.id)
    .executeTakeFirstOrThrow();
  return { ...sent, mentioned };
}

/** Whether the comment that a member sent under a key was deleted. Call it after `findSent`, which still sees one being deleted. */
async function isDeleted(
  tx: Transaction,
  by: { accountId: string; generationId: string; memberId: string; key: string },
): Promise<boolean> {
  const told = JSON.stringify({ authorId: by.memberId, sentKey: by.key });
  const deletion = await tx
    .selectFrom('AuditEntry')
    .select('id')
    .where('subjectId', '=', by.generationId)
    .where('accountId', '=', by.accountId)
    .where('action', '=', 'generation.comment_deleted')
    .where(sql<boolean>`"data" @> ${told}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return deletion !== undefined;
}
