import { type Kysely, type QueryCreator, type SelectQueryBuilder, sql } from 'kysely';
import { type Params, type Prepared, prepared } from './prepared.ts';
import { givenSpaces, type Reach, type SpaceRights } from './space-rights.ts';
import type { DB, Executor } from './types.ts';

/**
 * The one row that every account read starts from: the readable account, null when there is none, and the Spaces granted in it, null when all
 * are.
 */
export type CallerTable = { caller: { accountId: string | null; spaces: SpaceRights | null } };

/**
 * One read of an account, split so that it runs by itself (`runAccountRead`) or within the statement that authenticates its caller
 * (`findCredential`). CTEs are separate because PostgreSQL accepts writing ones at the top level only.
 */
export type AccountStatement<P extends object, Row> = {
  /** Names the statement in logs. */
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tables that the CTEs add are known to `rows` alone
  with(db: QueryCreator<DB & CallerTable>, p: Params<P>): QueryCreator<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  rows(db: QueryCreator<any>, p: Params<P>): SelectQueryBuilder<any, any, Row>;
  orderBy: readonly string[];
};

/** An account read with its parameters: what a verb offers to whoever runs it. */
export type AccountRead<R> = {
  // biome-ignore lint/suspicious/noExplicitAny: `accountStatement` ties parameters and rows to the statement
  statement: AccountStatement<any, any>;
  params: object;
  /** Builds the result from the rows. Throws the refusals of the read. */
  view(rows: readonly unknown[]): R;
};

/**
 * Declares an account read once; the result makes an `AccountRead` of parameters and a view of its rows. `with` adds CTEs after
 * `caller`, which it must join to reach the account; `rows` selects from them, and `orderBy` names columns of its rows.
 */
export function accountStatement<P extends object, D, Row>(statement: {
  name: string;
  with(db: QueryCreator<DB & CallerTable>, p: Params<P>): QueryCreator<D>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever it selects from
  rows(db: QueryCreator<D>, p: Params<P>): SelectQueryBuilder<any, any, Row>;
  orderBy?: readonly (keyof Row & string)[];
}): <R>(params: P, view: (rows: readonly Row[]) => R) => AccountRead<R> {
  const one = { orderBy: [], ...statement } as unknown as AccountStatement<P, Row>;
  return (params, view) => ({ statement: one, params, view: view as AccountRead<never>['view'] });
}

/** The same read, with its result mapped by `then`. */
export function mapRead<A, B>(read: AccountRead<A>, then: (answer: A) => B): AccountRead<B> {
  return { ...read, view: (rows) => then(read.view(rows)) };
}

/** Runs a read for the actor's own account, in one round trip. */
export async function runAccountRead<R>(
  ctx: { actor: { readonly accountId: string } & Reach; kysely: Executor },
  read: AccountRead<R>,
): Promise<R> {
  const rows = await standalone(read.statement).all(ctx.kysely, {
    ...withReadParams(read.params),
    accountId: ctx.actor.accountId,
    spaces: givenSpaces(ctx.actor),
  });
  return read.view(rows);
}

type Own = { accountId: string; spaces: string | null };
type Standalone = Prepared<Own, unknown>;
const byStatement = new WeakMap<object, Standalone>();

// biome-ignore lint/suspicious/noExplicitAny: any statement
function standalone(statement: AccountStatement<any, any>): Standalone {
  const known = byStatement.get(statement);
  if (known) return known;
  const made: Standalone = prepared(statement.name, (db, p: Params<Own>) => {
    const caller = db.with('caller', (one) =>
      one.selectNoFrom([
        sql<string | null>`${p.accountId}::text`.as('accountId'),
        sql<SpaceRights | null>`${p.spaces}::jsonb`.as('spaces'),
      ]),
    );
    let query = statement
      .with(caller as never, readParams(p))
      .selectFrom(statement.rows(db as never, readParams(p)).as('answer'))
      .selectAll('answer');
    for (const column of statement.orderBy) query = query.orderBy(`answer.${column}`);
    return query;
  });
  byStatement.set(statement, made);
  return made;
}

const PREFIX = 'read.';

/** The parameters of a read among those of the statement that it is part of. */
function readParams(p: object): Params<never> {
  return new Proxy(
    {},
    { get: (_, name) => (p as Record<string, unknown>)[`${PREFIX}${String(name)}`] },
  ) as Params<never>;
}

/** The values of `readParams`. */
export function withReadParams(params: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [`${PREFIX}${name}`, value]));
}

/**
 * A query from `caller` with the rows of a read beside it: `caller`'s row stays when the read has none, and `found` is null.
 * `db` already holds the CTE `caller`.
 */
export function withRead(
  db: QueryCreator<DB & CallerTable>,
  plain: Kysely<DB>,
  // biome-ignore lint/suspicious/noExplicitAny: any statement
  statement: AccountStatement<any, any>,
  p: object,
) {
  const params = readParams(p);
  const answer = statement
    .rows(plain as never, params)
    .select(sql<boolean>`true`.as('found'))
    .as('answer');
  let query = statement
    .with(db, params)
    .selectFrom('caller')
    .leftJoin(answer, (join) => join.onTrue())
    .selectAll('answer');
  for (const column of statement.orderBy) query = query.orderBy(`answer.${column}`);
  return query;
}
