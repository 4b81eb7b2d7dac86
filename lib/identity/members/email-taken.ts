import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

const MESSAGE = 'Cette adresse appartient déjà à un membre.';
const UNIQUE_VIOLATION = 'P2002';

/** The refusal of an address that somebody already has. */
export function emailTaken(): ServiceError {
  return new ServiceError('conflict', {
    message: MESSAGE,
    problems: [{ field: 'email', message: MESSAGE }],
  });
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
