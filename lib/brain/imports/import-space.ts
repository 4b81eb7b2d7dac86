import type { Executor } from '#lib/db/types.ts';
import { spaceNotFound } from '../not-found.ts';

/**
 * Throws `not_found` unless this is a Space of the account that can be written in. Asked before anything is fetched or read for it, and
 * again when the import is recorded.
 */
export async function requireImportSpace(
  on: Executor,
  input: { accountId: string; spaceId: string },
): Promise<void> {
  const space = await on
    .selectFrom('Space')
    .select('id')
    .where('id', '=', input.spaceId)
    .where('accountId', '=', input.accountId)
    .where('archivedAt', 'is', null)
    .executeTakeFirst();
  if (!space) throw spaceNotFound();
}
