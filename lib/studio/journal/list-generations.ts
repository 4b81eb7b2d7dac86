import { z } from 'zod';
import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { StudioContext } from '../context.ts';
import { generationColumns, readGeneration } from '../generation/generation.ts';
import { DISPLAYED_STATUSES, type DisplayedStatus } from '../generation/status-labels.ts';
import { JOURNAL_COUNT_LIMIT } from '../limits.ts';
import { foldForSearch } from '../submission/create-generation.ts';
import { type GenerationView, viewGeneration } from './view.ts';

const KINDS = ['image', 'vector', 'voice', 'video', 'motion', 'lipsync', 'render'] as const;
const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);

/** Query of `GET /api/generations`. */
export const journalQuery = z.strictObject({
  status: z.enum(DISPLAYED_STATUSES).optional(),
  kind: z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(KINDS).optional(),
  ),
  case: z.string().min(1).max(60).optional(),
  productId: z.string().min(1).max(60).optional(),
  memberId: z.string().min(1).max(40).optional(),
  /** Created at or after; a day or an instant. */
  from: instant.optional(),
  /** Created before the instant, or until the end of the day. */
  to: instant.optional(),
  q: z.string().trim().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(200).optional(),
});
export type JournalQuery = z.output<typeof journalQuery>;

export type JournalPage = { generations: GenerationView[]; nextCursor: string | null };

const DAY_MS = 86_400_000;
/** How many of the latest rows a search looks through before it asks the index of words. */
const LATEST = 2_000;
// An expression, which no index knows: a prepared plan would otherwise read the account's whole index beside that of words.
const OF_ACCOUNT_BY_WORDS = `g."accountId" || '' = $1`;

/** Stored status, and what the clock adds: open rows past their deadline show what they can only become. */
const STATUS_SOURCES: Record<DisplayedStatus, string[]> = {
  running: [
    `g."statusKey" = 'running' AND NOT (g."deadlineAt" <= $NOW AND g."kind" IN ('VIDEO', 'MOTION', 'LIPSYNC', 'RENDER'))`,
  ],
  done: [`g."statusKey" = 'done'`],
  failed: [
    `g."statusKey" = 'failed'`,
    `g."statusKey" = 'running' AND g."deadlineAt" <= $NOW AND g."kind" IN ('VIDEO', 'MOTION', 'LIPSYNC')`,
  ],
  quota: [`g."statusKey" = 'quota'`],
  'no-callback': [
    `g."statusKey" = 'no-callback'`,
    `g."statusKey" = 'running' AND g."deadlineAt" <= $NOW AND g."kind" = 'RENDER'`,
  ],
  cancelled: [`g."statusKey" = 'cancelled'`],
  deleted: [`g."statusKey" = 'deleted'`],
};

/**
 * A page of the account's journal, newest first; the cursor is the place of the last row, so rows that arrive meanwhile neither
 * repeat nor hide any. Each filter has its index: the first page does not slow down as the journal grows.
 */
export async function listGenerations(
  ctx: StudioContext<AccountActor>,
  query: JournalQuery,
): Promise<JournalPage> {
  const { params, bind, where } = filtersOf(ctx, query);
  if (query.cursor) {
    const { at, id } = readCursor(query.cursor);
    where.push(`(g."createdAt", g."id") < (${bind(at)}::timestamptz, ${bind(id)}::text)`);
  }
  const pattern = query.q === undefined ? null : bind(`%${likeText(query.q)}%`);
  const sources = query.status ? STATUS_SOURCES[query.status] : ['true'];
  const limit = bind(query.limit + 1);
  const now = sources.some((source) => source.includes('$NOW')) ? bind(ctx.clock.now()) : '';
  const order = 'ORDER BY g."createdAt" DESC, g."id" DESC';
  const statement = (matching: string, from: (clauses: string) => string) => {
    const branches = sources.map((source) => {
      const clauses = [...where, source.replaceAll('$NOW', now)].join(' AND ');
      return `(SELECT ${generationColumns('g')} FROM ${from(clauses)} g ${matching} ${order} LIMIT ${limit})`;
    });
    return `SELECT * FROM (${branches.join(' UNION ALL ')}) page ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}`;
  };
  const plain = (clauses: string) =>
    `(SELECT * FROM "Generation" g WHERE ${clauses} ${order} LIMIT ${limit})`;
  const read = (phase: string, text: string) =>
    ctx.sql.rows<Record<string, unknown>>(`${statementName(query)}.${phase}`, text, params);
  let rows: Record<string, unknown>[];
  if (pattern === null) rows = await read('all', statement('', plain));
  else {
    // A common word is found among the latest rows; only a rare one is worth the index of all of them.
    const latest = (clauses: string) =>
      `(SELECT * FROM "Generation" g WHERE ${clauses} ${order} LIMIT ${LATEST})`;
    rows = await read('latest', statement(`WHERE g."searchText" LIKE ${pattern}`, latest));
    if (rows.length <= query.limit) {
      const found = `WITH found AS MATERIALIZED (SELECT * FROM "Generation" g WHERE ${OF_ACCOUNT_BY_WORDS} AND g."searchText" LIKE ${pattern})`;
      const among = (clauses: string) => `(SELECT * FROM found g WHERE ${clauses})`;
      rows = await read('found', `${found} ${statement('', among)}`);
    }
  }
  const page = rows.slice(0, query.limit).map(readGeneration);
  const last = page.at(-1);
  const clock = ctx.clock.now();
  return {
    generations: page.map((row) => viewGeneration(row, clock)),
    nextCursor: rows.length > query.limit && last ? writeCursor(last) : null,
  };
}

/** How many rows the filters leave, all pages together, at most one more than `JOURNAL_COUNT_LIMIT`: what a list says above itself. */
export async function countGenerations(
  ctx: StudioContext<AccountActor>,
  query: Omit<JournalQuery, 'limit' | 'cursor'>,
): Promise<number> {
  const { params, bind, where } = filtersOf(ctx, query);
  if (query.q)
    where.splice(0, 1, OF_ACCOUNT_BY_WORDS, `g."searchText" LIKE ${bind(`%${likeText(query.q)}%`)}`);
  const sources = query.status ? STATUS_SOURCES[query.status] : ['true'];
  const now = sources.some((source) => source.includes('$NOW')) ? bind(ctx.clock.now()) : '';
  const any = sources.map((source) => `(${source.replaceAll('$NOW', now)})`).join(' OR ');
  const [row] = await ctx.sql.rows<{ count: number }>(
    statementName(query, 'count'),
    `SELECT count(*)::int AS "count" FROM (
       SELECT 1 FROM "Generation" g WHERE ${where.join(' AND ')} AND (${any}) LIMIT ${JOURNAL_COUNT_LIMIT + 1}) few`,
    params,
  );
  return row?.count ?? 0;
}

function filtersOf(ctx: StudioContext<AccountActor>, query: Omit<JournalQuery, 'limit' | 'cursor'>) {
  const params: unknown[] = [ctx.actor.accountId];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where = ['g."accountId" = $1'];
  if (query.kind) where.push(`g."kind" = ${bind(query.kind.toUpperCase())}::"GenerationKind"`);
  if (query.case) where.push(`g."caseName" = ${bind(query.case)}`);
  if (query.productId) where.push(`g."productId" = ${bind(query.productId)}`);
  if (query.memberId) where.push(`g."memberId" = ${bind(query.memberId)}`);
  if (query.from) where.push(`g."createdAt" >= ${bind(new Date(query.from))}`);
  if (query.to) where.push(`g."createdAt" < ${bind(endOf(query.to))}`);
  return { params, bind, where };
}

/** One name per text: an initial for each filter that is there, and the status that shapes the branches. */
function statementName(query: Partial<JournalQuery>, head = 'list'): string {
  const initials = {
    kind: 'k',
    case: 'c',
    productId: 'p',
    memberId: 'm',
    from: 'f',
    to: 't',
    q: 'q',
    cursor: 'u',
  };
  const filters = Object.entries(initials).filter(
    ([name]) => query[name as keyof JournalQuery] !== undefined,
  );
  return `studio.${head}.${query.status ?? 'all'}.${filters.map(([, initial]) => initial).join('')}`;
}

function endOf(to: string): Date {
  const at = new Date(to);
  return to.length === 10 ? new Date(at.getTime() + DAY_MS) : at;
}

function likeText(text: string): string {
  return foldForSearch(text).replace(/[\\%_]/g, (sign) => `\\${sign}`);
}

function writeCursor(row: { createdAt: Date; id: string }): string {
  return Buffer.from(`${row.createdAt.toISOString()}|${row.id}`).toString('base64url');
}

function readCursor(cursor: string): { at: Date; id: string } {
  const [text = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split('|');
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || !/^gen_[0-9a-z]{26}$/.test(id))
    throw new ServiceError('invalid', {
      detail: 'cursor',
      problems: [{ field: 'cursor', message: 'Ce curseur n’est pas valide\u00a0: reprenez au début.' }],
    });
  return { at, id };
}
