import { z } from 'zod';
import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isStorableInstant, storableDayOrInstant } from '#lib/core/input/storable-instant.ts';
import { atMostUnits } from '#lib/core/text/text-length.ts';
import type { GenerationKind } from '#lib/db/generated/tables.ts';
import type { StudioContext } from '../context.ts';
import { readGeneration } from '../generation/generation.ts';
import { foldForSearch } from '../generation/search-text.ts';
import { DISPLAYED_STATUSES } from '../generation/status-labels.ts';
import { completeDebited } from './complete-debited.ts';
import { countFound, findPage, findReviewed, type JournalValues, type Phase } from './journal-statements.ts';
import type { GenerationView } from './view.ts';
import { viewRows } from './view-rows.ts';

/** The kinds as an address says them; one that is missing does not compile. */
const KINDS = {
  image: 'image',
  vector: 'vector',
  voice: 'voice',
  video: 'video',
  motion: 'motion',
  lipsync: 'lipsync',
  render: 'render',
} as const satisfies { [Kind in Lowercase<GenerationKind>]: Kind };
/** What quality control says of a file, as the journal's filter names it. */
const JOURNAL_REVIEWS = ['to-review', 'approved', 'rejected', 'delivered'] as const;
export type JournalReview = (typeof JOURNAL_REVIEWS)[number];
const STATES = {
  'to-review': 'GENERATED',
  approved: 'APPROVED',
  rejected: 'REJECTED',
  delivered: 'DELIVERED',
} as const satisfies Record<JournalReview, string>;

/** Longest text that the journal is searched for, in UTF-16 code units. */
export const MAX_JOURNAL_SEARCH = 200;

/** Query of `GET /api/generations`. */
export const journalQuery = z.strictObject({
  status: z
    .enum(DISPLAYED_STATUSES)
    .optional()
    .meta({ description: 'Le statut, tel que chaque génération le dit' }),
  review: z.enum(JOURNAL_REVIEWS).optional().meta({
    description:
      'Avec un fichier dont la vérification en est là\u00a0; `to-review`\u00a0: que personne n’a encore jugé',
  }),
  kind: z
    .preprocess(
      (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      z.enum(KINDS).optional(),
    )
    .meta({
      description: 'Ce qui a été demandé, en minuscules ou tel que `kind` le dit de chaque génération',
    }),
  case: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: 'Le cas, tel que chaque génération le dit, par exemple `image-best`' }),
  productId: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .meta({ description: 'Le produit, par son identifiant\u00a0; `libre` est celui de ce qui n’en a pas' }),
  memberId: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .meta({ description: 'Le membre qui l’a demandée, par son identifiant' }),
  from: storableDayOrInstant.optional().meta({
    description:
      'Demandée depuis\u00a0: un jour UTC (`2026-11-21`), ou un instant avec son fuseau (`2026-11-21T09:30:00Z`)',
    example: '2026-11-21',
  }),
  to: storableDayOrInstant.optional().meta({
    description:
      'Demandée jusqu’à\u00a0: un jour UTC, compris en entier, ou avant un instant avec son fuseau',
    example: '2026-11-30',
  }),
  q: z
    .string()
    .trim()
    .min(1)
    .max(MAX_JOURNAL_SEARCH, { abort: true })
    .refine(...atMostUnits(MAX_JOURNAL_SEARCH))
    .optional()
    .meta({ description: 'Une suite de lettres de son brief, sans distinction de casse ni d’accents' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .meta({ description: 'Combien de générations par page' }),
  cursor: z.string().max(200).optional().meta({ description: 'Le `nextCursor` de la page d’avant' }),
});
export type JournalQuery = z.output<typeof journalQuery>;
/** What narrows the journal, whatever page of it is read. */
export const journalFilters = journalQuery.omit({ limit: true, cursor: true });
export type JournalFilters = z.output<typeof journalFilters>;

export type JournalPage = { generations: GenerationView[]; nextCursor: string | null };

const DAY_MS = 86_400_000;

/**
 * A page of the account's journal, newest first; the cursor is the place of the last row, so rows that arrive meanwhile neither
 * repeat nor hide any. A row whose debit is written and whose closing was lost is completed.
 */
export async function listGenerations(
  ctx: StudioContext<AccountActor>,
  query: JournalQuery,
): Promise<JournalPage> {
  const { status } = query;
  const values = {
    ...(await valuesOf(ctx, query)),
    limit: query.limit + 1,
    ...(query.cursor === undefined ? {} : { cursor: readCursor(query.cursor) }),
  };
  const find = (phase: Phase) => findPage(ctx.kysely, values, { status, phase });
  let rows = await find(query.q === undefined ? 'all' : 'latest');
  // A common word is found among the latest rows; only a rare one is worth the index of all of them.
  if (query.q !== undefined && rows.length <= query.limit) rows = await find('found');
  const page = await Promise.all(
    rows
      .slice(0, query.limit)
      .map(({ debitMicros, ...row }) => completeDebited(ctx, { row: readGeneration(row), debitMicros })),
  );
  const last = page.at(-1);
  return {
    generations: await viewRows(ctx, page),
    nextCursor: rows.length > query.limit && last ? writeCursor(last) : null,
  };
}

/** How many rows the filters leave, all pages together, at most one more than `JOURNAL_COUNT_LIMIT`: what a list says above itself. */
export async function countGenerations(
  ctx: StudioContext<AccountActor>,
  query: JournalFilters,
): Promise<number> {
  return countFound(ctx.kysely, await valuesOf(ctx, query), query.status);
}

/** What the filters say, as a statement takes it. */
export async function valuesOf(
  ctx: StudioContext<AccountActor>,
  query: JournalFilters,
): Promise<JournalValues> {
  const { accountId } = ctx.actor;
  const { kind, review, case: caseName, productId, memberId, from, to, q } = query;
  const ids = review ? await findReviewed(ctx.kysely, { accountId, review: STATES[review] }) : null;
  return {
    accountId,
    now: ctx.clock.now(),
    ...(kind ? { kind: kind.toUpperCase() as Uppercase<typeof kind> } : {}),
    ...(review ? { review: STATES[review] } : {}),
    ...(ids ? { ids } : {}),
    ...(caseName ? { case: caseName } : {}),
    ...(productId ? { productId } : {}),
    ...(memberId ? { memberId } : {}),
    ...(from ? { from: new Date(from) } : {}),
    ...(to ? { to: endOf(to) } : {}),
    ...(q ? { pattern: `%${likeText(q)}%` } : {}),
  };
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
  if (!isStorableInstant(at) || !/^gen_[0-9a-z]{26}$/.test(id))
    throw new ServiceError('invalid', {
      detail: 'cursor',
      problems: [{ field: 'cursor', message: 'Ce curseur n’est pas valide\u00a0: reprenez au début.' }],
    });
  return { at, id };
}
