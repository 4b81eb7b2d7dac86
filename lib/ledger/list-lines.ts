import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { isMonth } from './month.ts';
import type { StatementLine } from './read-statement.ts';
import { readableMember } from './wallet.ts';

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
export type Place = { before?: string | undefined; after?: string | undefined };

// The two directions are two statements: each reads its page from the index (wallet, month, id) and nothing else.
const COLUMNS = `l."id", l."kind", l."at", l."amountMicros", l."heldMicros", l."balanceAfterMicros", l."heldAfterMicros",
  l."generationId", l."actor", l."note"`;
const page = (compare: string, order: string) => `
  SELECT p.*, m."name" AS "actorName", g."kind" AS "generationKind", left(g."params" ->> 'brief', 140) AS "brief"
  FROM (SELECT ${COLUMNS} FROM "LedgerLine" l JOIN "Wallet" w ON w."id" = l."walletId"
        WHERE w."memberId" = $1 AND l."month" = $2 AND l."id" ${compare} $3 ORDER BY l."id" ${order} LIMIT $4) p
  LEFT JOIN "Member" m ON p."actor" = 'member:' || m."id" AND m."accountId" = $5
  LEFT JOIN "Generation" g ON g."id" = p."generationId"
  ORDER BY p."id" DESC`;
const OLDER = page('<', 'DESC');
const NEWER = page('>', 'ASC');
const LAST = '~';

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
  const [[counted], found] = await Promise.all([
    ctx.sql.rows<{ total: number }>(
      'ledger.lines.count',
      `SELECT count(*)::int AS "total" FROM (SELECT 1 FROM "LedgerLine" l JOIN "Wallet" w ON w."id" = l."walletId"
         WHERE w."memberId" = $1 AND l."month" = $2 LIMIT ${MAX_COUNT}) counted`,
      [memberId, input.month],
    ),
    ctx.sql.rows<NamedLine>(forward ? 'ledger.lines.newer' : 'ledger.lines.older', forward ? NEWER : OLDER, [
      memberId,
      input.month,
      (forward ? place.after : place.before) ?? LAST,
      limit + 1,
      accountId,
    ]),
  ]);
  const hasMore = found.length > limit;
  const lines = hasMore ? (forward ? found.slice(1) : found.slice(0, limit)) : found;
  const [first, last] = [lines[0], lines.at(-1)];
  const isOlder = forward || hasMore;
  const isNewer = forward ? hasMore : place.before !== undefined;
  return {
    lines,
    total: counted?.total ?? 0,
    older: isOlder && last ? { before: last.id } : null,
    newer: isNewer && first ? { after: first.id } : null,
  };
}
