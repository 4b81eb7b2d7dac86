/** PostgreSQL's code for a row that a unique index refused. */
const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because a unique index already has such a row: another transaction wrote it first. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === UNIQUE_VIOLATION;
}
