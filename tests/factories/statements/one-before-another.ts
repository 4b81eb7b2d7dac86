import type { TestService } from '#tests/setup/service.ts';
import { untilBlocked } from './until-blocked.ts';

/**
 * Two verbs in one moment, without chance: `first` has come to its first writing of `table` (its audit entry, its last one mostly) and nothing of it
 * is committed as `second` begins. Both go on once `second` waits too, or has ended: whoever took no lock has read by then what stood before.
 * Returns what came of both: `done`, or the code of the refusal.
 */
export async function oneBeforeAnother(
  { pool }: Pick<TestService, 'pool'>,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
  table = 'AuditEntry',
): Promise<[first: string, second: string]> {
  const gate = await pool.connect();
  let [one, other] = [Promise.resolve('not begun'), Promise.resolve('not begun')];
  try {
    await gate.query('BEGIN');
    await gate.query(`LOCK TABLE "${table}" IN SHARE MODE`);
    one = outcome(first());
    await Promise.race([one, untilBlocked({ pool })]);
    other = outcome(second());
    await Promise.race([other, untilBlocked({ pool }, 2)]);
  } finally {
    await gate.query('ROLLBACK');
    gate.release();
  }
  return Promise.all([one, other]);
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
