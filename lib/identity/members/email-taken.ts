import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/types.ts';

const MESSAGE = 'Cette adresse appartient déjà à un membre.';
const UNIQUE_VIOLATION = '23505';

/** The refusal of an address that somebody already has. */
function emailTaken(): ServiceError {
  return new ServiceError('conflict', {
    message: MESSAGE,
    problems: [{ field: 'email', message: MESSAGE }],
  });
}

/** Errors: `conflict` when somebody has the address already. */
export async function refuseTaken(tx: Transaction, email: string): Promise<void> {
  const taken = await tx.selectFrom('Member').select('id').where('email', '=', email).executeTakeFirst();
  if (taken) throw emailTaken();
}

/** What to do with a failed creation: of two at once for one address, the database refuses the second. Throws, always. */
export function whenTaken(
  ctx: Pick<Context, 'db'>,
  email: string,
): (error: { code?: string }) => Promise<never> {
  return async (error) => {
    if (error.code !== UNIQUE_VIOLATION) throw error;
    const isTaken = await ctx.db.member.findUnique({ where: { email }, select: { id: true } });
    throw isTaken ? emailTaken() : error;
  };
}
