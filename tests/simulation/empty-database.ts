import type { Connection } from '#lib/db/connection.ts';

/** Everything hangs on an account or a person, but what the scheduled jobs keep. */
const ROOTS = '"Account", "Person", "CronRun", "CronCursor"';

/** Empties a database of tests, the journals that only grow included: the triggers that refuse it are off meanwhile. */
export async function emptyDatabase({ pool }: Connection): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE NOT tgisinternal AND tgtype & 32 <> 0`,
  );
  const triggers = (does: 'DISABLE' | 'ENABLE') =>
    rows.map(({ name }) => `ALTER TABLE ${name} ${does} TRIGGER USER;`).join(' ');
  await pool.query(`BEGIN; ${triggers('DISABLE')} TRUNCATE ${ROOTS} CASCADE; ${triggers('ENABLE')} COMMIT`);
}
