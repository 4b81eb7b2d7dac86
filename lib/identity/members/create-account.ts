import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { emailProblem, normalizeEmail } from '../sign-in/email.ts';
import { refuseTaken, whenTaken } from './email-taken.ts';

/**
 * Creates an account and its founder, active at once. Errors: `invalid_request` naming the field, `conflict` when the
 * address already belongs to someone.
 */
export async function createAccount(
  ctx: Context,
  input: {
    name: string;
    founder: { email: string; name: string };
    capacityCu?: number /** For the demonstration, which the product registry names. */;
    accountId?: string;
  },
) {
  const email = normalizeEmail(input.founder.email);
  const problems = [];
  if (!input.name.trim() || input.name.trim().length > 120)
    problems.push({ field: 'name', message: 'Le nom compte de 1 à 120 caractères.' });
  if (emailProblem(email)) problems.push({ field: 'email', message: emailProblem(email) as string });
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const now = ctx.clock.now();
  const accountId = input.accountId ?? createId('account', now);
  const memberId = createId('member', now);
  const work = transaction(ctx, async (tx) => {
    await refuseTaken(tx, email);
    const account = await tx
      .insertInto('Account')
      .values({
        id: accountId,
        name: input.name.trim(),
        capacityCu: input.capacityCu ?? 0,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const founder = await tx
      .insertInto('Member')
      .values({
        id: memberId,
        accountId,
        email,
        name: input.founder.name.trim() || email,
        role: 'FOUNDER',
        permissions: [],
        status: 'ACTIVE',
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudits(tx, ctx, [
      {
        action: 'account.created',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { founderId: memberId },
      },
    ]);
    return { account, founder };
  });
  return work.catch(whenTaken(ctx, email));
}
