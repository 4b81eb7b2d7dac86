import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { AssetState, DB, GenerationKind, GenerationState } from '#lib/db/generated/tables.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Build, type Params, type Prepared, prepared, unprepared } from '#lib/db/prepared.ts';
import { countRows, isAnyOf } from '#lib/db/values.ts';
import { deadlineCode } from '../generation/failure-codes.ts';
import { GENERATION_COLUMNS, type GenerationRow } from '../generation/generation.ts';
import { ASYNCHRONOUS_KINDS, isKindOf } from '../generation/states.ts';
import type { DisplayedStatus } from '../generation/status-labels.ts';
import { JOURNAL_COUNT_LIMIT } from '../limits.ts';

/** The values of a page's statement; those of filters that are not there are left out. */
export type JournalValues = {
  accountId: string;
  now: Date;
  kind?: GenerationKind;
  /** Of one of its files that are left. */
  review?: AssetState;
  /** The only rows that can have such a file, when they are few (`findReviewed`). */
  ids?: readonly string[];
  case?: string;
  productId?: string;
  memberId?: string;
  from?: Date;
  to?: Date;
  /** What `searchText` must be like. */
  pattern?: string;
  /** The place of the last row of the page before. */
  cursor?: { at: Date; id: string };
  limit?: number;
};

/** `all`: a page without words. `latest`: words among the latest rows. `found`: words among all, by their index. */
export type Phase = 'all' | 'latest' | 'found';

/** The same, flattened: the parameters of a statement. */
type Values = Omit<JournalValues, 'cursor'> & { cursorAt?: Date; cursorId?: string };
/** The parameters, of which a shape uses only those of its filters. */
export type Given = Params<Required<Values>>;
type Table = DB & { g: DB['Generation'] };
/** A row of a page, and what the ledger debited of one that is still open. */
type ListedRow = GenerationRow & { debitMicros: bigint | null };
type Condition = (eb: ExpressionBuilder<Table, 'g'>, p: Given) => Expression<SqlBool>;

/** How many of the latest rows a search looks through before it asks the index of words. */
const LATEST = 2_000;

export const FILTERS: Record<
  Exclude<keyof JournalValues, 'accountId' | 'now' | 'pattern' | 'limit'>,
  Condition
> = {
  kind: (eb, p) => eb('g.kind', '=', p.kind),
  review: (eb, p) =>
    eb.exists(
      eb
        .selectFrom('Asset as judged')
        .select(sql.lit(1).as('one'))
        .whereRef('judged.generationId', '=', 'g.id')
        .where('judged.accountId', '=', p.accountId)
        .where('judged.state', '=', p.review)
        .where('judged.deletedAt', 'is', null)
        .where('judged.expiringAt', 'is', null)
        .where('judged.imported', '=', sql.lit(false)),
    ),
  ids: (_, p) => isAnyOf('g.id', p.ids),
  case: (eb, p) => eb('g.caseName', '=', p.case),
  productId: (eb, p) => eb('g.productId', '=', p.productId),
  memberId: (eb, p) => eb('g.memberId', '=', p.memberId),
  from: (eb, p) => eb('g.createdAt', '>=', p.from),
  to: (eb, p) => eb('g.createdAt', '<', p.to),
  cursor: (eb, p) => eb(eb.refTuple('g.createdAt', 'g.id'), '<', eb.tuple(p.cursorAt, p.cursorId)),
};
type Filter = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS) as Filter[];

const ofAccount: Condition = (eb, p) => eb('g.accountId', '=', p.accountId);
// An expression that matches no index: otherwise the plan would read the account's whole index beside that of words or rows.
const ofAccountUnindexed: Condition = (_, p) => sql`${sql.ref('g.accountId')} || '' = ${p.accountId}`;
export const likePattern: Condition = (eb, p) => eb('g.searchText', 'like', p.pattern);

const stored =
  (status: DisplayedStatus): Condition =>
  (eb) =>
    eb('g.statusKey', '=', status);
const pastDeadline = (code: 'video_timeout' | 'no-callback'): Condition => {
  const kinds = ASYNCHRONOUS_KINDS.filter((kind) => deadlineCode(kind) === code);
  return (eb, p) =>
    eb.and([
      eb('g.statusKey', '=', 'running'),
      eb.not(debited(eb, p)),
      eb('g.deadlineAt', '<=', p.now),
      isKindOf('g.kind', kinds),
    ]);
};

/** The debit is written and the row's closing was lost: the member has the file, and the next reader completes the row. */
const debited: Condition = (eb) =>
  eb.exists(
    eb
      .selectFrom('LedgerLine as debit')
      .select(sql.lit(1).as('one'))
      .whereRef('debit.generationId', '=', 'g.id')
      .where('debit.kind', '=', 'SETTLE'),
  );

/**
 * Stored status, what the clock adds (open rows past their deadline show what they can only become) and what the ledger has already
 * decided of an open row.
 */
const STATUS_SOURCES: Record<DisplayedStatus, Condition[]> = {
  running: [
    (eb, p) =>
      eb.and([
        eb('g.statusKey', '=', 'running'),
        eb.not(debited(eb, p)),
        eb.not(eb.and([eb('g.deadlineAt', '<=', p.now), isKindOf('g.kind', ASYNCHRONOUS_KINDS)])),
      ]),
  ],
  done: [stored('done'), (eb, p) => eb.and([eb('g.statusKey', '=', 'running'), debited(eb, p)])],
  failed: [stored('failed'), pastDeadline('video_timeout')],
  quota: [stored('quota')],
  'no-callback': [stored('no-callback'), pastDeadline('no-callback')],
  cancelled: [stored('cancelled')],
  deleted: [stored('deleted')],
};
const EVERY_STATUS: Condition[] = [() => sql`true`];

/** Which filters a statement has. */
export type Shape = { status: DisplayedStatus | undefined; filters: Filter[] };

const statements = new Map<string, Prepared<Values, unknown>>();

/**
 * One statement per shape. Shapes with at most one filter are compiled once and kept prepared; combinations are compiled each time, because
 * they can be thousands, and each would stay in this process and on each connection.
 */
export function statementOf<R>(label: string, shape: Shape, build: Build<Values, R>): Prepared<Values, R> {
  if (!isUsual(shape)) return unprepared(build);
  const known = statements.get(label) as Prepared<Values, R> | undefined;
  if (known) return known;
  const made = prepared(label, build);
  statements.set(label, made);
  return made;
}

/** A period is one filter; a page has its place, and `review` its rows, whatever was chosen. */
function isUsual({ status, filters }: Shape): boolean {
  const chosen = filters.filter((name) => name !== 'cursor' && name !== 'ids');
  const one = new Set(chosen.map((name) => (name === 'to' ? 'from' : name))).size;
  return one + (status ? 1 : 0) <= 1;
}

export const shapeOf = (values: JournalValues, status: DisplayedStatus | undefined): Shape => ({
  status,
  filters: FILTER_NAMES.filter((name) => values[name] !== undefined),
});
export const labelOf = (head: string, { status, filters }: Shape, tail: string) =>
  ['studio', head, status ?? 'all', filters.join('-') || 'any', tail].join('.');
export const flat = ({ cursor, ...values }: JournalValues): Values =>
  cursor ? { ...values, cursorAt: cursor.at, cursorId: cursor.id } : values;
/** Of the account: by the index of its rows, unless the rows are named. */
export const accountOf = ({ filters }: Shape) => (filters.includes('ids') ? ofAccountUnindexed : ofAccount);
export const sourcesOf = ({ status }: Shape) => (status ? STATUS_SOURCES[status] : EVERY_STATUS);

/** With more such files than this, reading rows from the newest on soon meets one. */
const MAX_REVIEWED = 1_000;

const findReviewedFiles = prepared(
  'studio.reviewed',
  (db, p: Params<{ accountId: string; review: AssetState }>) =>
    db
      .selectFrom('Asset')
      .select('generationId')
      .where('accountId', '=', p.accountId)
      .where('state', '=', p.review)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .where('imported', '=', sql.lit(false))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(sql.lit(MAX_REVIEWED + 1)),
);

/**
 * The generations with a file in this state, from the index of existing files; null when there are too many. When they are few, a search from
 * the newest row on could read the whole journal.
 */
export async function findReviewed(
  on: Kysely<DB>,
  input: { accountId: string; review: AssetState },
): Promise<string[] | null> {
  const files = await findReviewedFiles.all(on, input);
  if (files.length > MAX_REVIEWED) return null;
  return [...new Set(files.flatMap(({ generationId }) => generationId ?? []))];
}

/** The rows of a page, newest first. Each filter and each status has its index: the first page does not slow down as the journal grows. */
export function findPage(
  on: Kysely<DB>,
  values: JournalValues,
  input: { status: DisplayedStatus | undefined; phase: Phase },
): Promise<ListedRow[]> {
  const shape = shapeOf(values, input.status);
  return statementOf(labelOf('list', shape, input.phase), shape, (db, p) =>
    pageQuery(db, p as Given, shape, input.phase),
  ).all(on, flat(values));
}

function pageQuery(db: Kysely<DB>, p: Given, shape: Shape, phase: Phase) {
  const conditions = [accountOf(shape), ...shape.filters.map((name) => FILTERS[name])];
  const words = db
    .selectFrom('Generation as g')
    .selectAll()
    .where((eb) => eb.and([ofAccountUnindexed(eb, p), likePattern(eb, p)]));
  const limit = sql<number>`${p.limit}`;
  const branches = sourcesOf(shape).map((source) => {
    const rows = (
      phase === 'found'
        ? db.selectFrom(sql<DB['Generation']>`found`.as('g'))
        : db.selectFrom('Generation as g')
    )
      .select(GENERATION_COLUMNS)
      .where((eb) => eb.and([...conditions, source].map((condition) => condition(eb as never, p))))
      .orderBy('g.createdAt', 'desc')
      .orderBy('g.id', 'desc');
    if (phase !== 'latest') return rows.limit(limit);
    return db
      .selectFrom(rows.select('g.searchText').limit(LATEST).as('g'))
      .select(GENERATION_COLUMNS)
      .where((eb) => likePattern(eb as never, p))
      .orderBy('g.createdAt', 'desc')
      .orderBy('g.id', 'desc')
      .limit(limit);
  });
  const [first, ...others] = branches.map((branch) =>
    db.selectFrom(branch.as('branch')).select(GENERATION_COLUMNS),
  );
  if (!first) throw new Error('a status has no source');
  const union = others.reduce((all, branch) => all.unionAll(branch), first);
  return (
    phase === 'found'
      ? db.with(
          (cte) => cte('found').materialized(),
          () => words,
        )
      : db
  )
    .selectFrom(union.as('page'))
    .select(GENERATION_COLUMNS)
    .select((eb) => debitOfOpen(eb as never, 'page').as('debitMicros'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

/** What the ledger debited of a row that is still open; null of any other row. */
export function debitOfOpen(eb: ExpressionBuilder<never, never>, table: string) {
  const db = eb as unknown as ExpressionBuilder<DB, never>;
  return db
    .selectFrom('LedgerLine as debit')
    .select('debit.amountMicros')
    .where('debit.generationId', '=', sql.ref<string>(`${table}.id`))
    .where('debit.kind', '=', 'SETTLE')
    .where(inOpenState(sql.ref<GenerationState>(`${table}.state`)));
}

/** How many rows the filters leave, at most one more than `JOURNAL_COUNT_LIMIT`. */
export async function countFound(
  on: Kysely<DB>,
  values: JournalValues,
  status: DisplayedStatus | undefined,
): Promise<number> {
  const shape = shapeOf(values, status);
  const byWords = values.pattern !== undefined;
  const label = labelOf('count', shape, byWords ? 'words' : 'all');
  const counted = await statementOf(label, shape, (db, params) => {
    const p = params as Given;
    const conditions = [
      ...(byWords ? [ofAccountUnindexed, likePattern] : [accountOf(shape)]),
      ...shape.filters.map((name) => FILTERS[name]),
    ];
    const few = db
      .selectFrom('Generation as g')
      .select(sql.lit(1).as('one'))
      .where((eb) =>
        eb.and([
          ...conditions.map((condition) => condition(eb, p)),
          eb.or(sourcesOf(shape).map((source) => source(eb, p))),
        ]),
      )
      .limit(JOURNAL_COUNT_LIMIT + 1);
    return db.selectFrom(few.as('few')).select(countRows.as('count'));
  }).first(on, flat(values));
  return counted?.count ?? 0;
}
