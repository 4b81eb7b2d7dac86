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
