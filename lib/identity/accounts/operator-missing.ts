import type { Context } from '#lib/core/context.ts';
import type { Executor } from '#lib/db/types.ts';

/** The command that designates the operator's account. */
export const OPERATOR_COMMAND = 'npm run admin -- account operator <compte>';

/** The warning where no account is the operator's: after a migration of several accounts, which does not guess, or before one is designated. */
export const OPERATOR_MISSING = `Aucun compte n’est celui de l’exploitant\u00a0: personne ne donne de crédit ni ne règle de plafond, et la relève à la demande est fermée. Nommez-le depuis un terminal du service\u00a0: ${OPERATOR_COMMAND}`;

/** Whether there are accounts and none of them is the operator's. */
export async function isOperatorMissing(
  ctx: Pick<Context, 'kysely'> | { kysely: Executor },
): Promise<boolean> {
  const found = await ctx.kysely
    .selectFrom('Account')
    .select((eb) => eb.fn.agg<boolean | null>('bool_or', ['isOperator']).as('named'))
    .executeTakeFirst();
  // Null: there is no account at all.
  return found?.named === false;
}
