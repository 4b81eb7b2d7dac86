import { type Actor, hasPermission, type MemberRole, type Permission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { waitWords } from '#lib/core/text/wait-words.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { requireGivable, spacesColumn } from '../given-spaces.ts';
import { INVITATION_LIFETIME_MS, INVITATIONS_PER_DAY } from '../invitations/invitation-rules.ts';
import { emailProblem, normalizeEmail } from '../sign-in/email.ts';
import { refuseTakenEmail } from './email-taken.ts';
import { memberProblems } from './member-problems.ts';
import { lockFounders } from './update-member.ts';

const DAY_MS = 86_400_000;

/** Counts one invitation of the account, under its row. Errors: `rate_limited` after twenty in 24 hours, until the earliest of those is a day old. */
export async function countInvitation(
  tx: Transaction,
  input: { accountId: string; now: Date },
): Promise<void> {
  const nowMs = input.now.getTime();
  const twentieth = await tx
    .selectFrom('AuditEntry')
    .select('at')
    .where('accountId', '=', input.accountId)
    .where('action', '=', 'member.invited')
    .where('at', '>', new Date(nowMs - DAY_MS))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(INVITATIONS_PER_DAY - 1)
    .limit(1)
    .executeTakeFirst();
  if (!twentieth) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((twentieth.at.getTime() + DAY_MS - nowMs) / 1000));
  throw new ServiceError('rate_limited', {
    message: `Ce compte a envoyé ${INVITATIONS_PER_DAY} invitations en 24 heures, le plus possible. Réessayez ${waitWords(retryAfterSeconds)}.`,
    retryAfterSeconds,
  });
}

/**
 * Invites an address into the account, for seven days: the member exists at once, and becomes active when the addressee accepts.
 * The answer is the same whether or not the address is known elsewhere. Errors: `forbidden`, `invalid_request` naming the field,
 * `verification_required` for a founder, `conflict` for an address of this very account, `rate_limited`.
 */
export async function inviteMember(
  ctx: Context<Actor>,
  input: {
    accountId: string;
    email: string;
    name: string;
    role: MemberRole;
    permissions: readonly Permission[];
    /** The Spaces given to a member; null or absent: all. */
    spaces?: SpaceRights | null | undefined;
  },
) {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  const email = normalizeEmail(input.email);
  const emailFault = emailProblem(email);
  const problems = [
    ...(emailFault ? [{ field: 'email', message: emailFault }] : []),
    ...memberProblems(input),
  ];
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  if (input.role === 'FOUNDER') requireRecentVerification(ctx);
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    // Serialises the account's invitations: two at once for one address, and the twenty-first of a day, are refused.
    await lockFounders(tx, ctx, input.accountId);
    await refuseTakenEmail(tx, { accountId: input.accountId, email });
    if (ctx.actor.type !== 'admin') await countInvitation(tx, { accountId: input.accountId, now });
    const spaces = input.spaces ?? null;
    const named = await requireGivable(tx, ctx, { accountId: input.accountId, spaces });
    const member = await tx
      .insertInto('Member')
      .values({
        id: createId('member', now),
        accountId: input.accountId,
        email,
        name: input.name.trim(),
        role: input.role,
        permissions: [...new Set(input.permissions)],
        spaceRights: spacesColumn(spaces),
        status: 'INVITED',
        invitedById: 'memberId' in ctx.actor ? ctx.actor.memberId : null,
        invitationEndsAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
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
        data: {
          role: member.role,
          permissions: member.permissions,
          ...(named === null ? {} : { spaces: named }),
        },
      },
    ]);
    return { ...member, email };
  });
}
