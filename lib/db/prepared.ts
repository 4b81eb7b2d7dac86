import { createHash } from 'node:crypto';
import { type Compilable, type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import { compileOnly } from './compile-only.ts';
import type { DB } from './generated/tables.ts';
import type { Executor } from './types.ts';

/** One typed expression per parameter of a prepared statement; each stands for a value that is given at execution. */
export type Params<P> = { readonly [K in keyof P]-?: RawBuilder<P[K]> };

/** A statement compiled once per process, and parsed and planned once per database connection. */
export type Prepared<P, R> = {
  /** Runs it in one round trip. */
  run(on: Executor, params: P): Promise<QueryResult<R>>;
  /** Its rows. */
  all(on: Executor, params: P): Promise<R[]>;
  /** Its first row. */
  first(on: Executor, params: P): Promise<R | undefined>;
};

/** A row of what a prepared statement returns. */
export type PreparedRow<S> = S extends Prepared<never, infer R> ? R : never;

/** Builds a statement from its parameters. */
export type Build<P, R> = (db: Kysely<DB>, params: Params<P>) => Compilable<R>;

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

type Name = { key: string; label: string };
// One for the process: the server's bundles (routes, instrumentation) each hold a copy of this module, and share one connection.
const shared = globalThis as { atelierStatementNames?: Map<string, Name> };
shared.atelierStatementNames ??= new Map();
const names = shared.atelierStatementNames;

/** The name under which the text of a prepared statement is kept by the server; undefined for any other text. */
export function statementName(text: string): Name | undefined {
  return names.get(text);
}

/**
 * A hot statement: `const findKey = prepared('keys.find', (db, p: Params<{ hash: string }>) => db.selectFrom(…).where('hash', '=', p.hash))`.
 * `label` names it in logs; the server's name is derived from the text, so that one name is always one text.
 */
export function prepared<P extends object, R>(label: string, build: Build<P, R>): Prepared<P, R> {
  return compiledOnce(build, (text) => {
    const key = `${label.slice(0, 30)}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    names.set(text, { key, label });
  });
}

/**
 * A statement that is not prepared, for shapes that callers can combine by the thousand: its text is cached neither in this process nor on
 * each connection. Logs show how it begins.
 */
export function unprepared<P extends object, R>(build: Build<P, R>): Prepared<P, R> {
  return compiledOnce(build, () => undefined);
}

function compiledOnce<P extends object, R>(
  build: Build<P, R>,
  remember: (text: string) => void,
): Prepared<P, R> {
  let compiled:
    | { text: string; slots: readonly unknown[]; query: ReturnType<Compilable<R>['compile']> }
    | undefined;
  const compile = () => {
    const query = build(compileOnly, parameters<P>()).compile();
    remember(query.sql);
    compiled = { text: query.sql, slots: query.parameters, query };
    return compiled;
  };
  const run = (on: Executor, params: P) => {
    const { slots, query } = compiled ?? compile();
    const values = slots.map((slot) =>
      slot instanceof Placeholder ? (params as Record<string, unknown>)[slot.name] : slot,
    );
    return on.executeQuery<R>({ ...query, parameters: values });
  };
  return {
    run,
    all: async (on, params) => (await run(on, params)).rows,
    first: async (on, params) => (await run(on, params)).rows[0],
  };
}

function parameters<P extends object>(): Params<P> {
  return new Proxy({} as Params<P>, {
    get: (_, name) => sql.val(new Placeholder(String(name))),
  });
}
