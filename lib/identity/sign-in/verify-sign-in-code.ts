import type { MemberActor, Permission, PersonActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { transaction } from '#lib/db/transaction.ts';
import { findOrCreatePerson } from '../people/find-or-create-person.ts';
import { describeBrowser } from '../sessions/describe-browser.ts';
import { signPersonIn } from '../sessions/open-session.ts';
import { hashBrowserToken } from './browser.ts';
import { emailProblem, normalizeEmail } from './email.ts';
import type { SignInDeps } from './request-sign-in-code.ts';
import { isSignInCode, readTypedCode } from './sign-in-codes.ts';
import { newBrowserMail } from './sign-in-mail.ts';
import {
  clearFailingBrowser,
  readStanding,
  rememberBrowser,
  type SpentAttempt,
  spendSignInAttempt,
} from './standing.ts';
import { throttleVerify } from './throttle.ts';

export type VerifyInput = {
  email: string;
  code: string;
  network: string;
  /** The value that this browser holds since it asked for the code; null: it holds none, and asked for nothing. */
  browser: string | null;
  userAgent: string;
  /** The session that this browser had, if any: it ends, so that no session outlives a change of person. */
  previousSessionId?: string | undefined;
};

const NONE_WAITING =
  'Aucun code demandé par ce navigateur ne fonctionne plus\u00a0: le dernier a expiré, a déjà servi ou a été essayé cinq fois. Demandez-en un autre.';

function refuse(message: string): ServiceError {
  return new ServiceError('unauthenticated', { message, problems: [{ field: 'code', message }] });
}

function wrongCode(attemptsLeft: number): ServiceError {
  if (attemptsLeft === 0)
    return refuse('Ce code ne convient pas, et c’était le dernier essai. Demandez-en un autre.');
  return refuse(
    `Ce code ne convient pas. Il vous reste ${attemptsLeft} essai${attemptsLeft > 1 ? 's' : ''}.`,
  );
}

/**
 * Opens a session for the browser that asked for the newest code and gives it, in the account of the last visit; who was only
 * invited has chosen none yet (`memberId` null) and answers the invitation next. A code opens one
 * session, takes five tries and lives ten minutes; a browser that asked for none touches nothing. The member is told by mail when
 * the browser is a new one. A suspended or unknown address is refused in the words of a wrong code.
 * Errors: `invalid_request` naming the field, `unauthenticated` (field `code`), `rate_limited`.
 */
export async function verifySignInCode(
  ctx: Context,
  input: VerifyInput,
  deps: SignInDeps & { post: (mail: Mail) => void },
): Promise<{ sessionId: string; expiresAt: Date; accountId: string | null; memberId: string | null }> {
  const email = normalizeEmail(input.email);
  const code = readTypedCode(input.code);
  const problems = [];
  const emailFault = emailProblem(email);
  if (emailFault) problems.push({ field: 'email', message: emailFault });
  if (!code) problems.push({ field: 'code', message: 'Le code compte six chiffres.' });
  if (!code || problems[0])
    throw new ServiceError('invalid_request', {
      ...(problems[0] ? { message: problems[0].message } : {}),
      problems,
    });

  const fail = (reason: string, error: ServiceError): never => {
    ctx.log.warn('auth.otp.failed', { reason, requestId: ctx.requestId });
    throw error;
  };
  if (input.browser === null) return fail('none', refuse(NONE_WAITING));
  const browserHash = hashBrowserToken(deps.secret, input.browser);
  const { known } = await readStanding(ctx, { email, browserHash });
  await throttleVerify(ctx, deps.secret, { browserHash, network: input.network, known });
  const spent = await spendSignInAttempt(ctx, { email, browserHash });
  if (!spent) return fail('none', refuse(NONE_WAITING));
  if (!(await isSignInCode(deps.secret, spent, code))) {
    if (known) await clearFailingBrowser(ctx, { email, browserHash });
    return fail('wrong', wrongCode(spent.attemptsLeft));
  }
  const opened = await open(ctx, { ...spent, browserHash }, input);
  if (opened === 'used') return fail('used', refuse(NONE_WAITING));
  if (opened === 'refused') return fail('refused', wrongCode(spent.attemptsLeft));
  const { tell, ...session } = opened;
  if (tell)
    deps.post(
      newBrowserMail({
        to: email,
        name: tell.name,
        browser: describeBrowser(input.userAgent),
        at: ctx.clock.now(),
      }),
    );
  return session;
}

/** The right code: it is used up, the session opened and the browser remembered, in one transaction. */
async function open(ctx: Context, spent: SpentAttempt & { browserHash: string }, input: VerifyInput) {
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    const used = await tx
      .updateTable('SignInCode')
      .set({ consumedAt: now })
      .where('id', '=', spent.id)
      .where('consumedAt', 'is', null)
      .executeTakeFirst();
    if (used.numUpdatedRows === 0n) return 'used' as const;
    const members = await tx
      .selectFrom('Member')
      .select(['id', 'accountId', 'name', 'role', 'permissions', 'status'])
      .where('email', '=', spent.email)
      .where((eb) =>
        eb.or([
          eb('status', '=', 'ACTIVE'),
          eb.and([eb('status', '=', 'INVITED'), eb('invitationEndsAt', '>', now)]),
        ]),
      )
      .orderBy('lastSeenAt', (order) => order.desc().nullsLast())
      .orderBy('id')
      .execute();
    if (members.length === 0) return 'refused' as const;
    const { id: personId } = await findOrCreatePerson(tx, { email: spent.email, now });
    // The account of the last visit; who was only invited chooses on the next page.
    const member = members.find(({ status }) => status === 'ACTIVE') ?? null;
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
    const session = await signPersonIn(
      tx,
      { ...ctx, actor },
      { personId, member, userAgent: input.userAgent, network: input.network },
    );
    const browser = { email: spent.email, browserHash: spent.browserHash, personId, now };
    const { wasKnown } = await rememberBrowser(tx, browser);
    if (input.previousSessionId)
      await tx
        .updateTable('Session')
        .set({ revokedAt: now })
        .where('id', '=', input.previousSessionId)
        .where('revokedAt', 'is', null)
        .execute();
    const tell = wasKnown || !member ? null : { name: member.name };
    return { ...session, accountId: member?.accountId ?? null, memberId: member?.id ?? null, tell };
  });
}
