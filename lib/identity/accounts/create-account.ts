import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { nameProblem } from '#lib/identity/members/name-problem.ts';
import { findOrCreatePerson } from '#lib/identity/people/find-or-create-person.ts';
import { emailProblem, normalizeEmail } from '#lib/identity/sign-in/email.ts';
import { refuseAllowance } from './refuse-allowance.ts';
import { lockOperator } from './set-operator.ts';

/**
 * Creates an account and its founder, active at once; a person may found or belong to several. Errors: `invalid_request` naming
 * the field, `conflict` for a second account of the operator.
 */
export async function createAccount(
  ctx: Context,
  input: {
    name: string;
    founder: { email: string; name: string };
    capacityCu?: number;
    /** For the demonstration, which the product registry names. */
    accountId?: string;
    /** Whether it is the account of those who run the service. */
    operator?: boolean;
  },
) {
  const email = normalizeEmail(input.founder.email);
  const problems = [];
  const nameFault = nameProblem(input.name);
  if (nameFault) problems.push({ field: 'name', message: nameFault });
  if (emailProblem(email)) problems.push({ field: 'email', message: emailProblem(email) as string });
  // Without a name, a founder is called by the address.
  const founderFault = input.founder.name.trim() ? nameProblem(input.founder.name) : null;
  if (founderFault) problems.push({ field: 'founder', message: founderFault });
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  if (input.capacityCu !== undefined) refuseAllowance('capacityCu', input.capacityCu);
  const now = ctx.clock.now();
  const accountId = input.accountId ?? createId('account', now);
  const memberId = createId('member', now);
  return transaction(ctx, async (tx) => {
    if (input.operator) await refuseSecondOperator(tx);
    const person = await findOrCreatePerson(tx, { email, now });
    const account = await tx
      .insertInto('Account')
      .values({
        id: accountId,
        name: input.name.trim(),
        capacityCu: input.capacityCu ?? 0,
        isOperator: input.operator ?? false,
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
        personId: person.id,
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
}

async function refuseSecondOperator(tx: Transaction): Promise<void> {
  await lockOperator(tx);
  const operator = await tx
    .selectFrom('Account')
    .select('name')
    .where('isOperator', '=', true)
    .executeTakeFirst();
  if (operator)
    throw new ServiceError('conflict', {
      message: `«\u00a0${operator.name}\u00a0» est déjà le compte de l’exploitant\u00a0: rien n’a été créé.`,
    });
}
