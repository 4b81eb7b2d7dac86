import type { TestService } from '#tests/setup/service.ts';
import { until } from '#tests/setup/until.ts';

/** Waits until `count` connections of this test's database wait for a lock. */
export async function untilBlocked({ pool }: Pick<TestService, 'pool'>, count = 1): Promise<void> {
  await until(`${count} connections that wait for a lock`, async () => {
    const { rows } = await pool.query(
      `select count(distinct pid)::int as n from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`,
    );
    return rows[0].n >= count;
  });
}
