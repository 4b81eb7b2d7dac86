import { sql } from 'kysely';
import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { line, quoted } from '#lib/core/text/one-line.ts';
import { isAnyLocked, isAnyOf } from '#lib/db/values.ts';
import type { Post } from '#lib/identity/notices/mail-notices.ts';
import { mentionedIn, withNames } from './mentions.ts';

/** Mentions of one night; the next one takes the others. */
const MAX_MENTIONS = 5_000;
/** A mention that was not mailed within this time never is. */
const MAILED_WITHIN_MS = 7 * 86_400_000;
/** Between two mails to one member; less than a day, because a night may begin a little earlier than the last. */
const MIN_INTERVAL_MS = 20 * 3_600_000;
/** What one mail quotes. */
const QUOTED = 10;
const EXCERPT = 200;

type MailedMention = {
  memberId: string;
  accountId: string;
  email: string;
  name: string;
  accountName: string;
  author: string;
  brief: string | null;
  text: string;
};

/**
 * Mails each active member, once a day at most, the new comments that named them, for each account separately. A mention is marked as mailed
 * before its mail is sent: a lost mail is better than a repeated one. When a night cannot send all, accounts take turns, so that one with
 * endless mentions does not delay the others. Returns how many members were mailed.
 */
export async function mailMentions(
  ctx: Context<SystemActor>,
  post: Post | undefined,
  { most = MAX_MENTIONS }: { most?: number } = {},
): Promise<number> {
  if (!post) return 0;
  const now = ctx.clock.now();
  const taken = await ctx.kysely
    .updateTable('GenerationMention')
    .set({ mailedAt: now })
    .where(isAnyLocked('id', nextMentions(ctx, { now, most })))
    .returning('id')
    .execute();
  if (taken.length === 0) return 0;
  const mentioned = await ctx.kysely
    .selectFrom('GenerationMention as n')
    .innerJoin('GenerationComment as c', 'c.id', 'n.commentId')
    .innerJoin('Generation as g', (join) =>
      join.onRef('g.id', '=', 'c.generationId').onRef('g.accountId', '=', 'n.accountId'),
    )
    .innerJoin('Member as m', (join) =>
      join.onRef('m.id', '=', 'n.memberId').onRef('m.accountId', '=', 'n.accountId'),
    )
    .innerJoin('Account as a', 'a.id', 'n.accountId')
    .leftJoin('Member as w', (join) =>
      join.onRef('w.id', '=', 'c.memberId').onRef('w.accountId', '=', 'n.accountId'),
    )
    .select((eb) => [
      'm.id as memberId',
      'm.accountId',
      'm.email',
      'm.name',
      'a.name as accountName',
      eb.fn.coalesce('w.name', eb.val('Un membre')).as('author'),
      sql<string | null>`g."params" ->> 'brief'`.as('brief'),
      'c.text',
    ])
    .where(
      isAnyOf(
        'n.id',
        taken.map(({ id }) => id),
      ),
    )
    .where('m.status', '=', 'ACTIVE')
    .where('m.email', 'is not', null)
    .where((eb) => eb.or([eb('m.role', '=', 'FOUNDER'), sql<boolean>`'generate' = any(m."permissions")`]))
    .where('a.closedAt', 'is', null)
    .orderBy('n.id')
    .execute();
  const nameOf = await namesIn(ctx, mentioned);
  const digests = Map.groupBy(mentioned as MailedMention[], ({ memberId }) => memberId);
  for (const mentions of digests.values()) post(digestOf(mentions, nameOf));
  return digests.size;
}

/** Locks the mentions to mail now: the first of each account, then the second of each, up to `most`. Rows locked by another run are skipped. */
function nextMentions({ kysely }: Context<SystemActor>, { now, most }: { now: Date; most: number }) {
  const due = kysely
    .selectFrom('GenerationMention as m')
    .select('m.id')
    .select(({ fn }) =>
      fn
        .agg<bigint>('row_number')
        .over((over) => over.partitionBy('m.accountId').orderBy('m.memberId').orderBy('m.id'))
        .as('turn'),
    )
    .where('m.mailedAt', 'is', null)
    .where('m.createdAt', '>', new Date(now.getTime() - MAILED_WITHIN_MS))
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('GenerationMention as o')
            .select('o.id')
            .whereRef('o.memberId', '=', 'm.memberId')
            .where('o.mailedAt', '>', new Date(now.getTime() - MIN_INTERVAL_MS)),
        ),
      ),
    );
  const inTurn = kysely
    .selectFrom(due.as('due'))
    .select('due.id')
    .orderBy('due.turn')
    .orderBy('due.id')
    .limit(most);
  return (
    kysely
      .selectFrom('GenerationMention as own')
      .select('own.id')
      .where(isAnyLocked('own.id', inTurn))
      // Also checked on the locked row: another run may have mailed it in between.
      .where('own.mailedAt', 'is', null)
      .orderBy('own.id')
      .forUpdate()
      .skipLocked()
  );
}

/** One run serves many accounts: a typed token must not resolve to a member of another. */
type NameOf = (accountId: string, memberId: string) => string | undefined;

async function namesIn(
  ctx: Context<SystemActor>,
  mentioned: readonly Pick<MailedMention, 'accountId' | 'text'>[],
): Promise<NameOf> {
  const ids = new Set(mentioned.flatMap(({ text }) => mentionedIn(text)));
  const accountIds = new Set(mentioned.map(({ accountId }) => accountId));
  const rows = await ctx.kysely
    .selectFrom('Member')
    .select(['id', 'name', 'accountId'])
    .where(isAnyOf('id', [...ids]))
    .where(isAnyOf('accountId', [...accountIds]))
    .execute();
  const names = new Map(rows.map(({ id, name, accountId }) => [`${accountId} ${id}`, name]));
  return (accountId, memberId) => names.get(`${accountId} ${memberId}`);
}

function digestOf(mentions: readonly MailedMention[], nameOf: NameOf) {
  const [first] = mentions;
  if (!first) throw new Error('a digest of nothing');
  const account = quoted(first.accountName);
  const many = mentions.length;
  const excerpt = (text: string, most: number) => {
    const whole = line(text);
    return whole.length > most ? `${whole.slice(0, most - 1).toWellFormed()}…` : whole;
  };
  const said = mentions.slice(0, QUOTED).map(({ author, brief, text }) => {
    const about = brief ? ` à propos de ${quoted(excerpt(brief, 80))}` : '';
    return `${line(author)}${about}\u00a0: ${excerpt(
      withNames(text, (id) => nameOf(first.accountId, id)),
      EXCERPT,
    )}`;
  });
  return {
    to: first.email,
    subject: line(
      `Atelier\u00a0: ${many === 1 ? 'un commentaire vous nomme' : `${many} commentaires vous nomment`} dans ${account}`,
    ),
    text: [
      `Bonjour ${line(first.name)},`,
      many === 1
        ? `Un commentaire vous nomme dans le compte ${account}.`
        : `${many} commentaires vous nomment dans le compte ${account}.`,
      ...said,
      ...(many > QUOTED ? [many === QUOTED + 1 ? 'Et un autre.' : `Et ${many - QUOTED} autres.`] : []),
      `${many === 1 ? 'Il est' : 'Ils sont'} dans ${quoted('Journal')}, sur la page de ${many === 1 ? 'sa' : 'chaque'} génération. Ce message part une fois par jour au plus.`,
      '',
    ].join('\n\n'),
  };
}
