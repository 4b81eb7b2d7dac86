import type { Transaction } from '#lib/db/types.ts';

/**
 * Makes the changes of one member's filters wait for each other: none slips past their maximum number, and two tabs that swap names do
 * not deadlock.
 */
export async function lockFilters(
  tx: Transaction,
  { accountId, memberId }: { accountId: string; memberId: string },
): Promise<void> {
  await tx
    .selectFrom('Member')
    .select('id')
    .where('id', '=', memberId)
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .execute();
}
