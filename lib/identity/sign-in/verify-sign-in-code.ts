import type { MemberActor, Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { letIn } from '../sessions/open-session.ts';
import { emailProblem, normalizeEmail } from './email.ts';
import type { SignInDeps } from './request-sign-in-code.ts';
import { isSignInCode, readTypedCode } from './sign-in-codes.ts';
import { throttleVerify } from './throttle.ts';

export type VerifyInput = {
  email: string;
  code: string;
  network: string;
  userAgent: string;
  /** The session that this browser had, if any: it ends, so that no session outlives a change of person. */
  previousSessionId?: string | undefined;
};

// The attempt is spent before the code is compared: any number of guesses at once share the five of one code.
const SPEND_ATTEMPT = `
WITH newest AS (SELECT id FROM "SignInCode" WHERE email = $1 ORDER BY "createdAt" DESC, id DESC LIMIT 1)
UPDATE "SignInCode" c SET "attemptsLeft" = c."attemptsLeft" - 1 FROM newest
WHERE c.id = newest.id AND c."attemptsLeft" > 0 AND c."consumedAt" IS NULL AND c."expiresAt" > $2
RETURNING c.id, c.email, c."codeHash", c."attemptsLeft"`;

type Spent = { id: string; email: string; codeHash: Uint8Array; attemptsLeft: number };

const NONE_WAITING =
  'Aucun code ne fonctionne plus pour cette adresse\u00a0: le dernier a expiré, a déjà servi ou a été essayé cinq fois. Demandez-en un autre.';

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
 * Opens a session for the bearer of the newest code sent to the address; an invited member becomes active. A code opens one
 * session, takes five tries and lives ten minutes. A suspended or unknown address is refused in the words of a wrong code.
 * Errors: `invalid_request` naming the field, `unauthenticated` (field `code`), `rate_limited`.
 */
export async function verifySignInCode(
  ctx: Context,
  input: VerifyInput,
  deps: SignInDeps,
): Promise<{ sessionId: string; expiresAt: Date; accountId: string; memberId: string }> {
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
  await throttleVerify(ctx, deps.secret, { email, network: input.network });

  const fail = (reason: string, error: ServiceError): never => {
    ctx.log.warn('auth.otp.failed', { reason, requestId: ctx.requestId });
    throw error;
  };
  const [spent] = await ctx.sql.rows<Spent>('sign-in-code.spend', SPEND_ATTEMPT, [email, ctx.clock.now()]);
  if (!spent) return fail('none', refuse(NONE_WAITING));
  if (!(await isSignInCode(deps.secret, spent, code))) return fail('wrong', wrongCode(spent.attemptsLeft));
  const opened = await open(ctx, spent, input);
  if (opened === 'used') return fail('used', refuse(NONE_WAITING));
  if (opened === 'refused') return fail('refused', wrongCode(spent.attemptsLeft));
  return opened;
}

/** The right code: it is used up, and the session opened, in one transaction. */
async function open(ctx: Context, spent: Spent, input: VerifyInput) {
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.signInCode.updateMany({
      where: { id: spent.id, consumedAt: null },
      data: { consumedAt: now },
    });
    if (count === 0) return 'used' as const;
    const member = await tx.member.findUnique({ where: { email: spent.email } });
    if (!member) return 'refused' as const;
    const actor: MemberActor = {
      type: 'member',
      sessionId: '',
      accountId: member.accountId,
      memberId: member.id,
      role: member.role,
      permissions: member.permissions as Permission[],
    };
    const session = await letIn(tx, { ...ctx, actor }, member, {
      userAgent: input.userAgent,
      network: input.network,
    });
    if (!session) return 'refused' as const;
    if (input.previousSessionId)
      await tx.session.updateMany({
        where: { id: input.previousSessionId, revokedAt: null },
        data: { revokedAt: now },
      });
    return { ...session, accountId: member.accountId, memberId: member.id };
  });
}
