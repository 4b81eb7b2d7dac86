import { ServiceError } from '#lib/core/errors.ts';

/** Reads included for each CU of capacity, per UTC month. */
export const READS_PER_CU = 10;

/** The UTC month of an instant, `2026-11`. */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** Start of the next UTC month. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** Reads a month of an account whose row is `a`. */
export const READ_LIMIT_SQL = `COALESCE(a."contractualReads", a."capacityCu" * ${READS_PER_CU})`;

/**
 * CTEs that consume one read for each row (none or one) of `source(accountId, readLimit)`, never past the limit:
 * `consumed` has a row when the read was granted. Parameters are the positions of the month and the day.
 * Reads are counters: they may lose the last instant in a crash of the server, so they do not wait for the disk.
 */
export function consumeReadSql(source: string, monthParam: string, dayParam: string): string {
  return `consumed AS (
  INSERT INTO "ReadMonth" AS r ("accountId", month, used)
  SELECT "accountId", ${monthParam}, 1 FROM ${source} WHERE "readLimit" > 0
  ON CONFLICT ("accountId", month) DO UPDATE SET used = r.used + 1 WHERE r.used < (SELECT "readLimit" FROM ${source})
  RETURNING "accountId", set_config('synchronous_commit', 'off', true)
), daily AS (
  INSERT INTO "ReadDay" AS d ("accountId", day, used) SELECT "accountId", ${dayParam}::date, 1 FROM consumed
  ON CONFLICT ("accountId", day) DO UPDATE SET used = d.used + 1
)`;
}

/** The parameters of `consumeRead`: the month and the day of now, UTC. */
export function readPeriodOf(now: Date): { month: string; day: string } {
  const [month, day] = readPeriod(now);
  return { month, day };
}

/** Parameters of `consumeReadSql`: the month and the day of now. */
export function readPeriod(now: Date): [month: string, day: string] {
  const day = now.toISOString().slice(0, 10);
  return [day.slice(0, 7), day];
}

/** The refusal at exhaustion, with the wait until the month turns. */
export function quotaExceeded(now: Date): ServiceError {
  const resetsAt = nextMonth(now);
  return new ServiceError('quota_exceeded', {
    params: {
      resetsAt: new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' }).format(resetsAt),
    },
    retryAfterSeconds: Math.ceil((resetsAt.getTime() - now.getTime()) / 1000),
  });
}
