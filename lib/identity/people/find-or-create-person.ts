import { createId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/db/types.ts';

/** The person of an address that was proved (a code sent there) or that the operator vouches for; made when there is none. */
export async function findOrCreatePerson(
  tx: Transaction,
  input: { email: string; now: Date },
): Promise<{ id: string }> {
  const { email, now } = input;
  for (;;) {
    const made = await tx
      .insertInto('Person')
      .values({ id: createId('person', now), email, createdAt: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made) return made;
    // Locked: who is being forgotten is waited for, and made anew.
    const found = await tx
      .selectFrom('Person')
      .select('id')
      .where('email', '=', email)
      .forKeyShare()
      .executeTakeFirst();
    if (found) return found;
  }
}
