import { type RawBuilder, sql } from 'kysely';
import { sha256 } from '#lib/core/crypto.ts';

/** SHA-256 of a Memory's title and body, separated by NUL, which no stored text holds. */
export function textHash({ title, body }: { title: string; body: string }): Uint8Array<ArrayBuffer> {
  return sha256(`${title}\0${body}`);
}

/** The same, of the row that a statement reads as `table`: its text need not leave the database. */
export function textHashOf(table: string): RawBuilder<Uint8Array> {
  const bytesOf = (column: 'title' | 'body') => sql`convert_to(${sql.ref(`${table}.${column}`)}, 'UTF8')`;
  return sql<Uint8Array>`sha256(${bytesOf('title')} || decode('00', 'hex') || ${bytesOf('body')})`;
}
