import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { briefOf, countRows } from '#lib/db/values.ts';
import { readableMember } from '../access.ts';
import { LINE_COLUMNS, linesOf, positionOf } from '../lines.ts';
import { isMonth } from '../month.ts';
import type { StatementLine } from './read-statement.ts';

export type NamedLine = StatementLine & {
  /** Name of the member who wrote it; null when it was the shell or a scheduled job. */
  actorName: string | null;
  generationKind: GenerationKind | null;
  /** First words of what was asked; null for a credit. */
  brief: string | null;
};

export type LinesPage = {
  /** Newest first. */
  lines: NamedLine[];
  /** Lines of the whole month, counted up to 10,000. */
  total: number;
  older: { before: string } | null;
  newer: { after: string } | null;
};

export const MAX_COUNT = 10_000;

/** A place in the list: lines older than `before`, or the page just newer than `after`; neither gives the newest. */
type Place = { before?: string | undefined; after?: string | undefined };

type PageValues = { memberId: string; month: string; from: number; limit: number; accountId: string };

// The two directions are two statements: each reads its page from the index (wallet, month, position) and nothing else.
const page = (label: string, compare: '<' | '>', order: 'desc' | 'asc') =>
  prepared(label, (db, p: Params<PageValues>) =>
    db
      .selectFrom(
        linesOf(db, p.memberId)
          .select(LINE_COLUMNS)
          .where('line.month', '=', p.month)
          .where('line.position', compare, p.from)
          .orderBy('line.position', order)
          .limit(sql<number>`${p.limit}`)
          .as('page'),
      )
      .leftJoin('Member as member', (join) =>
        join
          .on('page.actor', '=', sql<string>`'member:' || ${sql.ref('member.id')}`)
          .on('member.accountId', '=', p.accountId),
      )
      .leftJoin('Generation as generation', 'generation.id', 'page.generationId')
      .selectAll('page')
      .select([
        'member.name as actorName',
        'generation.kind as generationKind',
        briefOf('generation.params').as('brief'),
      ])
      .orderBy('page.position', 'desc'),
  );
const older = page('ledger.lines.older', '<', 'desc');
const newer = page('ledger.lines.newer', '>', 'asc');
/** After the last line there can be. */
const LAST = 2_147_483_647;

const countLines = prepared('ledger.lines.count', (db, p: Params<{ memberId: string; month: string }>) =>
  db
    .selectFrom(
      linesOf(db, p.memberId)
        .select('line.id')
        .where('line.month', '=', p.month)
        .limit(MAX_COUNT)
        .as('counted'),
    )
    .select(countRows.as('total')),
);

/**
 * A page of a member's lines of one UTC month, newest first, with the words a person reads. Keyset paging: lines that are written
 * meanwhile neither repeat nor hide any. One's own, or any member's of the account for a founder; else `not_found`.
 */
export async function listLines(
  ctx: Context,
  input: { memberId: string; month: string; place?: Place; limit?: number },
): Promise<LinesPage> {
  if (!isMonth(input.month)) throw new ServiceError('not_found');
  const { memberId, accountId } = await readableMember(ctx, input.memberId);
  const { limit = 50, place = {} } = input;
  const forward = place.after !== undefined && place.before === undefined;
  const [counted, found]: [{ total: number } | undefined, NamedLine[]] = await Promise.all([
    countLines.first(ctx.kysely, { memberId, month: input.month }),
    (forward ? newer : older).all(ctx.kysely, {
      memberId,
      month: input.month,
      from: positionOf(forward ? place.after : place.before) ?? LAST,
      limit: limit + 1,
      accountId,
    }),
  ]);
  const hasMore = found.length > limit;
  const lines = hasMore ? (forward ? found.slice(1) : found.slice(0, limit)) : found;
  const [first, last] = [lines[0], lines.at(-1)];
  const isOlder = forward || hasMore;
  const isNewer = forward ? hasMore : place.before !== undefined;
  return {
    lines,
    total: counted?.total ?? 0,
    older: isOlder && last ? { before: String(last.position) } : null,
    newer: isNewer && first ? { after: String(first.position) } : null,
  };
}
