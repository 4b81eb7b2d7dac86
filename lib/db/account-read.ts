import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** The parts of one read-only-to-the-caller statement. Every name is free of `credential`, `used`, `counted` and `caller`. */
export type AccountReadSql = {
  /** CTEs, comma-separated, without WITH. */
  ctes: string;
  columns: string;
  /** A join tree without outer parentheses. */
  from: string;
  /** Whether a row of `from` is there at all: false in the empty row of an outer join. */
  present: string;
  orderBy?: string;
};

/**
 * A read of one account, written so that it runs by itself (`runAccountRead`) or in the very statement that authenticates its
 * caller (`authenticateStatement`): a request of the API is then one round trip.
 */
export type AccountRead<R> = {
  /** One name, one text. */
  name: string;
  /** `account` is an SQL expression for the account's id, null when it may not be read; parameters start at `first`. */
  sql(account: string, first: number): AccountReadSql;
  params: readonly unknown[];
  /** What the rows say. Throws the refusals of the read. */
  finish(rows: readonly unknown[]): R;
};

/** The text of a read that follows `ctes` and joins `to`, an expression of one row. */
export function selectSql(
  parts: AccountReadSql,
  outer?: { ctes: string; columns: string; from: string },
): string {
  const ctes = [outer?.ctes, parts.ctes].filter(Boolean).join(',\n');
  const order = parts.orderBy ? `\nORDER BY ${parts.orderBy}` : '';
  return outer
    ? `WITH ${ctes}\nSELECT ${outer.columns}, (${parts.present}) AS present, ${parts.columns}\nFROM ${outer.from} LEFT JOIN (${parts.from}) ON true${order}`
    : `WITH ${ctes}\nSELECT ${parts.columns}\nFROM ${parts.from}${order}`;
}

const texts = new Map<string, string>();

/** The text kept under `name`: a prepared statement is written once. */
export function textOf(name: string, write: () => string): string {
  let text = texts.get(name);
  if (text === undefined) {
    text = write();
    texts.set(name, text);
  }
  return text;
}

/** Runs a read for the actor's own account, in one round trip. */
export async function runAccountRead<R>(ctx: Context<AccountActor>, read: AccountRead<R>): Promise<R> {
  const text = textOf(read.name, () => selectSql(read.sql('$1', 2)));
  return read.finish(await ctx.sql.rows(read.name, text, [ctx.actor.accountId, ...read.params]));
}
