import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FileStore } from '#lib/storage/file-store.ts';
import { withOwner } from './dump.ts';
import { listTables, quoted, readApplied, readSequences } from './tables.ts';

/** Everything that a restored service must have in common with the one that was lost; keys name what differs. */
type Fingerprint = Record<string, string>;

/** Rows and a sum of their contents per table, sequences, migrations, the books, and each file by its digest. */
export async function fingerprint(options: {
  ownerUrl: string;
  store: FileStore | null;
}): Promise<Fingerprint> {
  const said: Fingerprint = {};
  await withOwner(options.ownerUrl, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query<{ said: string }>(
        `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as said from public.${quoted(name)} t`,
      );
      said[`table ${name}`] = rows[0]?.said ?? '';
    }
    for (const { name, lastValue, isCalled } of await readSequences(client))
      said[`sequence ${name}`] = `${lastValue} ${isCalled}`;
    said.migrations = (await readApplied(client)).join('\n');
    const { rows: books } = await client.query<{ name: string; said: string }>(
      `select 'wallet ' || w."id" as name, concat_ws(' ', w."balanceMicros", w."heldMicros", coalesce(sum(l."amountMicros"), 0),
         coalesce(sum(l."heldMicros"), 0), count(l."id")) as said
       from "Wallet" w left join "LedgerLine" l on l."walletId" = w."id" group by w."id"
       union all select 'budget ' || b."accountId", concat_ws(' ', b."balanceMicros", b."heldMicros", coalesce(sum(l."amountMicros"), 0))
       from "Budget" b left join "BudgetLine" l using ("accountId") group by b."accountId"`,
    );
    for (const { name, said: sums } of books) said[`books of ${name}`] = sums;
    await client.query('commit');
  });
  for await (const [pathname, digest] of digests(options.store)) said[`file ${pathname}`] = digest;
  return said;
}

async function* digests(store: FileStore | null): AsyncGenerator<[pathname: string, digest: string]> {
  let cursor: string | undefined;
  do {
    const page = await store?.list({ prefix: '', ...(cursor ? { cursor } : {}) });
    for (const { pathname } of page?.files ?? []) {
      const opened = await store?.open(pathname);
      const hash = createHash('sha256');
      for await (const chunk of opened?.stream ?? []) hash.update(chunk);
      yield [pathname, hash.digest('hex')];
    }
    cursor = page?.cursor;
  } while (cursor);
}

/** What differs, one line each; empty when nothing does. */
export function differences(before: Fingerprint, after: Fingerprint): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? 'not there'}, then ${after[name] ?? 'not there'}`);
}
