import type { TestService } from '#tests/setup/service.ts';
import { untilBlocked } from './until-blocked.ts';

/**
 * Another process has claimed rows by `claim` (one statement), and not committed it, when `pass` looks for them: it commits once `pass` waits, or
 * has ended. Returns what came of `pass`, and whether it waited: whoever skips what another holds does not, and claims none of it.
 */
export async function claimedMeanwhile<T>(
  { pool }: Pick<TestService, 'pool'>,
  claim: { text: string; values: readonly unknown[] },
  pass: () => Promise<T>,
): Promise<{ came: T; waited: boolean }> {
  const other = await pool.connect();
  try {
    await other.query('BEGIN');
    const { rowCount } = await other.query(claim.text, [...claim.values]);
    if (!rowCount) throw new Error('the other process claims nothing');
    const passing = pass();
    const waited = await Promise.race([untilBlocked({ pool }).then(() => true), passing.then(() => false)]);
    await other.query('COMMIT');
    return { came: await passing, waited };
  } catch (error) {
    await other.query('ROLLBACK');
    throw error;
  } finally {
    other.release();
  }
}
