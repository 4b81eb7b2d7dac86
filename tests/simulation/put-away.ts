import type { Connection } from '#lib/db/connection.ts';

/**
 * Puts away what a scene may have left open: no later scene's sweep finds its rows, no later pass sends its events, no later night erases
 * what it closed. Books stay as they are.
 */
export async function putAway({ pool }: Connection): Promise<void> {
  await pool.query(
    `UPDATE "Generation" SET "dueAt" = '9999-01-01Z' WHERE "state" IN ('STARTING', 'SUBMITTED')`,
  );
  await pool.query(`UPDATE "WebhookEndpoint" SET "disabledAt" = now() WHERE "disabledAt" IS NULL`);
  await pool.query(
    `UPDATE "Account" SET "closedAt" = NULL WHERE "closedAt" IS NOT NULL AND "erasingAt" IS NULL`,
  );
}

/**
 * Empties a database that only scenes have used. What a pass looks at grows with the accounts that lie there: after fifty scenes one costs
 * visibly more, and what a scene leaves is asked of it before it ends.
 */
export async function emptyDatabase({ pool }: Connection): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
  );
  const tables = rows.map(({ name }) => name).join(', ');
  // Books refuse to be emptied: their triggers are left out.
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; TRUNCATE ${tables}; COMMIT`);
}
