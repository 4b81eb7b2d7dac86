import { indexPending } from '#lib/brain/search/index/maintain.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import type { Connection } from '#lib/db/connection.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';

/** An account of the size that the plan is for: the tables grow by accounts, and accounts do not. `asked`: journal rows of the one whose reads are measured. */
export const PER_ACCOUNT = { memories: 10_000, generations: 100_000, asked: 10_000, spaces: 20 } as const;
const MEMORIES_PER_SPACE = PER_ACCOUNT.memories / PER_ACCOUNT.spaces;

export type ScaleAccount = { ctx: Context<MemberActor>; spaceId: string };

/** One account with its Spaces; its rows come with `fillMemories` and `fillGenerations`. */
export async function openAccount(connection: Connection): Promise<ScaleAccount & { spaceIds: string[] }> {
  const { account, actor } = await makeAccount(connection, { capacityCu: 1_000_000 });
  await connection.db.account.update({
    where: { id: account.id },
    data: { contractualReads: 1_000_000_000 },
  });
  const spaceIds: string[] = [];
  for (let n = 0; n < PER_ACCOUNT.spaces; n += 1)
    spaceIds.push((await makeSpace(connection, account.id, { name: `Espace ${n}` })).id);
  const log = createLogger({ write: () => {}, now: () => new Date(), minLevel: 'error' });
  const { db, kysely } = connection;
  const ctx = { actor, db, kysely, clock: systemClock, log, requestId: createId('request') };
  return { ctx, spaceId: spaceIds[0] ?? '', spaceIds };
}

/** Ten thousand Memories of 300 to 1,200 characters. `indexed`: with their words, as the service writes them; else the rows alone, in bulk. */
export async function fillMemories(
  connection: Connection,
  account: Awaited<ReturnType<typeof openAccount>>,
  indexed: boolean,
): Promise<void> {
  const client = await connection.pool.connect();
  try {
    // What triggers keep of a bulk load is the search index, which is measured on the accounts that have it.
    if (!indexed) await client.query(`set session_replication_role = 'replica'`);
    await client.query(
      `INSERT INTO "Memory" (id, "accountId", "spaceId", role, kind, title, body, source, cu, "createdAt", "updatedAt")
       SELECT 'mem_' || substr($3, 5, 14) || lpad(n::text, 12, '0'), $1, ($2::text[])[1 + n / $4::int],
         (ARRAY['IDENTITY','GUIDELINES','KNOWLEDGE','ITEMS','PEOPLE'])[1 + n % 5]::"PillarRole", 'NOTE',
         'Note ' || n || ' sur la lampe ' || (n % 97), repeat('La maison répond sous deux jours, commande ' || (n * 7919) % 10007 || ', couleur ' || n % 331 || '. ', 5 + n % 16),
         'API', 1, at, at
       FROM generate_series(0, $5::int - 1) n, LATERAL (SELECT now() - n * interval '1 second' AS at) t`,
      [
        account.ctx.actor.accountId,
        account.spaceIds,
        createId('memory'),
        MEMORIES_PER_SPACE,
        PER_ACCOUNT.memories,
      ],
    );
  } finally {
    if (!indexed) await client.query('reset session_replication_role');
    client.release();
  }
  if (indexed) await indexPending(account.ctx, { accountId: account.ctx.actor.accountId, everything: true });
}

/** Closed rows of the journal of one account, `count` of them. */
export async function fillGenerations(
  connection: Connection,
  account: ScaleAccount,
  count: number,
): Promise<void> {
  await connection.pool.query(
    `INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "code", "caseName",
       "params", "references", "searchText", "artifacts", "createdAt", "deadlineAt", "dueAt", "closedAt", "updatedAt", "requestId")
     SELECT 'gen_' || substr($3, 5, 14) || lpad(n::text, 12, '0'), $1, $2, 'libre',
       (CASE WHEN n % 10 = 5 THEN 'VIDEO' ELSE 'IMAGE' END)::"GenerationKind", 'IMAGE',
       (CASE WHEN n % 10 = 7 THEN 'FAILED' ELSE 'COMPLETED' END)::"GenerationState",
       CASE WHEN n % 10 = 7 THEN 'provider-failure' END, 'image-fast', '{"case":"image-fast"}', '{}',
       'une ' || CASE WHEN n % 1000 = 0 THEN 'bougie' ELSE 'lampe' END || ' sur une table ' || n, '[]',
       now() - n * interval '1 minute', now(), now(), now(), now(), 'req_scale'
     FROM generate_series(1, $4::int) n`,
    [account.ctx.actor.accountId, account.ctx.actor.memberId, createId('generation'), count],
  );
}
