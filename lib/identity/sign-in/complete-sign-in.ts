import type { MemberActor, Permission, PersonActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import type { Transaction } from '#lib/db/types.ts';
import { findOrCreatePerson } from '../people/find-or-create-person.ts';
import { describeBrowser } from '../sessions/describe-browser.ts';
import { signPersonIn } from '../sessions/open-session.ts';
import { rememberBrowser } from './attempts.ts';
import { newBrowserMail } from './sign-in-mail.ts';

type ProvenAddress = {
  email: string;
  browserHash: string;
  userAgent: string;
  network: string;
  /** The session that this browser had, if any: it ends, so that no session outlives a change of person. */
  previousSessionId?: string | undefined;
};

export type OpenedSession = {
  sessionId: string;
  expiresAt: Date;
  /** The account of the last visit; null for who was only invited, and chooses next. */
  accountId: string | null;
  memberId: string | null;
};

type Entered = OpenedSession & {
  /** Whom to notify by mail, when the browser is a new one. */
  notify: { name: string } | null;
};

/**
 * Opens a session for the person who has just proved this address, and remembers the browser. Null: the address may enter no account (unknown,
 * suspended, removed, an expired invitation).
 */
export async function completeSignIn(
  tx: Transaction,
  ctx: Context,
  input: ProvenAddress,
): Promise<Entered | null> {
  const now = ctx.clock.now();
  const { email, browserHash, userAgent, network } = input;
  const member = await lockMember(tx, { email, now });
  if (member === undefined) return null;
  if (input.previousSessionId)
    await tx
      .updateTable('Session')
      .set({ revokedAt: now })
      .where('id', '=', input.previousSessionId)
      .where('revokedAt', 'is', null)
      .execute();
  const { id: personId } = await findOrCreatePerson(tx, { email, now });
  const actor: MemberActor | PersonActor = member
    ? {
        type: 'member',
        sessionId: '',
        accountId: member.accountId,
        memberId: member.id,
        role: member.role,
        permissions: member.permissions as Permission[],
        operator: false,
      }
    : { type: 'person', sessionId: '', personId };
  const session = await signPersonIn(tx, { ...ctx, actor }, { personId, member, userAgent, network });
  const { wasKnown } = await rememberBrowser(tx, { email, browserHash, personId, now });
  const notify = wasKnown || !member ? null : { name: member.name };
  return { ...session, accountId: member?.accountId ?? null, memberId: member?.id ?? null, notify };
}

/**
 * The member of this address in the account of the last visit, locked; null for who is only invited, undefined for who may enter no account.
 * Whoever suspends, removes or erases them at the same moment is waited for. Locked before any session, in the order of erasing a membership.
 */
async function lockMember(tx: Transaction, { email, now }: { email: string; now: Date }) {
  const members = () => tx.selectFrom('Member').where('email', '=', email);
  for (;;) {
    const found = await members()
      .select(['id', 'status'])
      .where((eb) =>
        eb.or([
          eb('status', '=', 'ACTIVE'),
          eb.and([eb('status', '=', 'INVITED'), eb('invitationEndsAt', '>', now)]),
        ]),
      )
      .orderBy('lastSeenAt', (order) => order.desc().nullsLast())
      .orderBy('id')
      .execute();
    if (found.length === 0) return undefined;
    const active = found.find(({ status }) => status === 'ACTIVE');
    if (!active) return null;
    const member = await members()
      .select(['id', 'accountId', 'name', 'role', 'permissions'])
      .where('id', '=', active.id)
      .where('status', '=', 'ACTIVE')
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (member) return member;
  }
}

/** Call once the session is committed: mails the member when the browser is a new one. Returns the session. */
export function notifyNewBrowser(
  ctx: Pick<Context, 'clock'>,
  { notify, ...session }: Entered,
  input: { email: string; userAgent: string },
  post: (mail: Mail) => void,
): OpenedSession {
  const browser = describeBrowser(input.userAgent);
  if (notify) post(newBrowserMail({ to: input.email, name: notify.name, browser, at: ctx.clock.now() }));
  return session;
}
