import type { AdminActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { findOrCreatePerson } from '../people/find-or-create-person.ts';
import { SESSION_LIFETIME_MS } from './session-cookie.ts';

type Opened = { sessionId: string; expiresAt: Date };
type Person = { personId: string };
type From = { userAgent?: string; network?: string };

/**
 * Opens a session of a person, for 30 days from its last visit and 90 in all, in the account of `memberId` if one is chosen.
 * Returns its identifier, to be signed into a cookie.
 */
async function openPersonSession(
  ctx: Pick<Context, 'clock'> & { kysely: Executor },
  input: Person & { member: { id: string; accountId: string } | null } & From,
): Promise<Opened> {
  const now = ctx.clock.now();
  const sessionId = createId('session', now);
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await ctx.kysely
    .insertInto('Session')
    .values({
      id: sessionId,
      personId: input.personId,
      accountId: input.member?.accountId ?? null,
      memberId: input.member?.id ?? null,
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
      verifiedAt: now,
      userAgent: (input.userAgent ?? '').slice(0, 300),
      network: input.network ?? '',
    })
    .execute();
  return { sessionId, expiresAt };
}

/** The same for a member of an account, whoever the person is. */
export async function openSession(
  ctx: Pick<Context, 'clock'> & { kysely: Executor },
  input: { accountId: string; memberId: string } & From,
): Promise<Opened> {
  const { personId } = await ctx.kysely
    .selectFrom('Member')
    .select('personId')
    .where('id', '=', input.memberId)
    .where('accountId', '=', input.accountId)
    .executeTakeFirstOrThrow();
  if (personId === null) throw new Error('this member has joined nothing yet');
  const member = { id: input.memberId, accountId: input.accountId };
  return openPersonSession(ctx, { ...input, personId, member });
}

/** Opens a session and tells the audit of the account that was chosen in it, in the caller's transaction. */
export async function signPersonIn(
  tx: Transaction,
  ctx: Context,
  input: Person & { member: { id: string; accountId: string } | null } & From,
): Promise<Opened> {
  const now = ctx.clock.now();
  const { member } = input;
  if (member) await tx.updateTable('Member').set({ lastSeenAt: now }).where('id', '=', member.id).execute();
  const session = await openPersonSession({ clock: ctx.clock, kysely: tx }, input);
  await recordAudits(tx, ctx, [
    {
      action: 'session.opened',
      accountId: member?.accountId ?? null,
      subject: { type: 'session', id: session.sessionId },
    },
  ]);
  return session;
}

/**
 * Opens a session for a member of the account, from the shell; for an invited one, the shell vouches for the address and joins
 * the account in their place. Errors: `not_found`, `conflict` for a suspended member.
 */
export async function openSessionFor(
  ctx: Context<AdminActor>,
  input: { accountId: string; memberId: string; userAgent: string },
): Promise<Opened> {
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    const found = await tx
      .selectFrom('Member')
      .select(['id', 'accountId', 'status', 'personId', 'email'])
      .where('id', '=', input.memberId)
      .where('accountId', '=', input.accountId)
      .forUpdate()
      .executeTakeFirst();
    if (!found || found.status === 'REMOVED') throw new ServiceError('not_found');
    if (found.status === 'SUSPENDED')
      throw new ServiceError('conflict', { message: 'Ce membre est suspendu.' });
    const person =
      found.personId === null ? await findOrCreatePerson(tx, { email: found.email ?? '', now }) : null;
    const personId = found.personId ?? (person?.id as string);
    if (found.status === 'INVITED') {
      await tx
        .updateTable('Member')
        .set({ status: 'ACTIVE', personId, invitationEndsAt: null, updatedAt: now })
        .where('id', '=', found.id)
        .execute();
      await recordAudits(tx, ctx, [
        { action: 'member.joined', accountId: found.accountId, subject: { type: 'member', id: found.id } },
      ]);
    }
    return signPersonIn(tx, ctx, { personId, member: found, userAgent: input.userAgent });
  });
}
