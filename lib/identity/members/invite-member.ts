import {
  type Actor,
  GRANTABLE_PERMISSIONS,
  hasPermission,
  type MemberRole,
  type Permission,
} from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { emailProblem, normalizeEmail } from '../sign-in/email.ts';
import { refuseTaken, whenTaken } from './email-taken.ts';

/**
 * Invites a member into the account: the row exists at once, and becomes active at the first sign-in with a code sent to
 * the address. Errors: `forbidden`, `invalid_request` naming the field, `conflict` for an address already taken.
 */
export async function inviteMember(
  ctx: Context<Actor>,
  input: {
    accountId: string;
    email: string;
    name: string;
    role: MemberRole;
    permissions: readonly Permission[];
  },
) {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  const email = normalizeEmail(input.email);
  const problems = [];
  const emailFault = emailProblem(email);
  if (emailFault) problems.push({ field: 'email', message: emailFault });
  if (!input.name.trim() || input.name.trim().length > 120)
    problems.push({ field: 'name', message: 'Le nom compte de 1 à 120 caractères.' });
  if (input.permissions.some((permission) => !GRANTABLE_PERMISSIONS.includes(permission)))
    problems.push({
      field: 'permissions',
      message: `Les droits possibles sont ${GRANTABLE_PERMISSIONS.join(', ')}.`,
    });
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const now = ctx.clock.now();
  const work = transaction(ctx, async (tx) => {
    await refuseTaken(tx, email);
    const member = await tx
      .insertInto('Member')
      .values({
        id: createId('member', now),
        accountId: input.accountId,
        email,
        name: input.name.trim(),
        role: input.role,
        permissions: [...new Set(input.permissions)],
        status: 'INVITED',
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudits(tx, ctx, [
      {
        action: 'member.invited',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: { role: member.role, permissions: member.permissions },
      },
    ]);
    return member;
  });
  return work.catch(whenTaken(ctx, email));
}
