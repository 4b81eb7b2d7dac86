import type { TestService } from '#tests/setup/service.ts';
import { untilBlocked } from './until-blocked.ts';

/**
 * Somebody holds the first of two rows until `work` waits for it, and then takes the last: free, when `work` takes its rows in the order of
 * their identifiers. It throws (SQLSTATE 55P03) when `work` holds the last one meanwhile. Returns what came of `work`.
 */
export async function takenInOrder<T>(
  { pool }: Pick<TestService, 'pool'>,
  rows: { table: string; ids: readonly [first: string, last: string] },
  work: () => Promise<T>,
): Promise<T> {
  const [first, last] = rows.ids;
  const client = await pool.connect();
  const take = (id: string) =>
    client.query(`SELECT 1 FROM "${rows.table}" WHERE id = $1 FOR NO KEY UPDATE NOWAIT`, [id]);
  try {
    await client.query('BEGIN');
    await take(first);
    const done = work();
    // Awaited below; when the order is wrong, what the test says is that.
    done.catch(() => {});
    try {
      await untilBlocked({ pool });
      await take(last);
    } finally {
      await client.query('ROLLBACK');
    }
    return await done;
  } finally {
    client.release();
  }
}
