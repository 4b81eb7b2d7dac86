import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { nameProblem } from '../members/name-problem.ts';
import { notifyOfPasskey, type Post } from '../notices/mail-notices.ts';
import { sessionPerson } from '../people/session-person.ts';
import { lockActor } from '../sessions/lock-actor.ts';
import { hashBrowserToken } from '../sign-in/browser.ts';
import { type ChallengeFor, liveChallenge, newChallenge, spendChallenge } from './challenges.ts';
import { handleOf, type PasskeyDeps } from './prove-passkey.ts';
import type { RelyingParty } from './relying-party.ts';
import type { MadePasskey } from './schemas.ts';

/** Passkeys of one person. */
export const MAX_PASSKEYS = 20;
/** EdDSA, ES256, RS256: what authenticators in use sign with. */
const ALGORITHMS = [-8, -7, -257];
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

type Here = { browser: string; party: RelyingParty };

function boundTo(ctx: Context<MemberActor>, browser: string, { secret }: PasskeyDeps): ChallengeFor {
  return {
    purpose: 'add',
    browserHash: hashBrowserToken(secret, browser),
    sessionId: ctx.actor.sessionId,
  };
}

/**
 * What the browser needs to make a passkey of the acting person: one that is found without an address, and asks its holder for a
 * fingerprint, a face or a code. Errors: `verification_required`, `unauthenticated`, `conflict` with twenty already.
 */
export async function beginPasskey(ctx: Context<MemberActor>, { browser, party }: Here, deps: PasskeyDeps) {
  requireRecentVerification(ctx);
  const { personId, email, name } = await sessionPerson(ctx.kysely, ctx);
  const held = await ctx.db.passkey.findMany({
    where: { personId },
    select: { credentialId: true, transports: true },
  });
  if (held.length >= MAX_PASSKEYS) throw tooMany();
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'Atelier',
    rpID: party.id,
    userID: handleOf(personId),
    userName: email,
    userDisplayName: name,
    challenge: newChallenge(deps.secret, boundTo(ctx, browser, deps), ctx.clock.now()),
    attestationType: 'none',
    excludeCredentials: held.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/**
 * Keeps a passkey that was made over a challenge of ours, in this browser and session. The person is told by mail.
 * Errors: `verification_required`, `forbidden` once the session has ended, `invalid_request` naming the field, or for an answer that is not
 * what was asked; `conflict` for one that is known already, or one too many.
 */
export async function addPasskey(
  ctx: Context<MemberActor>,
  input: { name: string; made: MadePasskey; browser: string | null; party: RelyingParty },
  deps: PasskeyDeps & { post?: Post },
): Promise<{ id: string; name: string }> {
  requireRecentVerification(ctx);
  const name = input.name.trim();
  const problem = nameProblem(name);
  if (problem)
    throw new ServiceError('invalid_request', {
      message: problem,
      problems: [{ field: 'name', message: problem }],
    });
  const { personId, email } = await sessionPerson(ctx.kysely, ctx);
  const { credential, aaguid, challenge } = await checkedMade(ctx, input, deps);
  const now = ctx.clock.now();
  const id = createId('passkey', now);
  const { accountId } = ctx.actor;
  await transaction(ctx, async (tx) => {
    await lockActor(tx, ctx);
    // Those of one person wait for each other: the twenty-first, made twice at once.
    await tx.selectFrom('Person').select('id').where('id', '=', personId).forNoKeyUpdate().execute();
    const { held } = await tx
      .selectFrom('Passkey')
      .select((eb) => eb.fn.countAll<bigint>().as('held'))
      .where('personId', '=', personId)
      .executeTakeFirstOrThrow();
    if (held >= BigInt(MAX_PASSKEYS)) throw tooMany();
    if (!(await spendChallenge(tx, challenge))) throw notMade();
    const kept = await tx
      .insertInto('Passkey')
      .values({
        id,
        personId,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: BigInt(credential.counter),
        transports: input.made.response.transports.filter((one) => TRANSPORTS.includes(one)),
        aaguid,
        name,
        createdAt: now,
      })
      .onConflict((conflict) => conflict.column('credentialId').doNothing())
      .executeTakeFirst();
    if ((kept.numInsertedOrUpdatedRows ?? 0n) === 0n)
      throw new ServiceError('conflict', { message: 'Cette clé d’accès est déjà enregistrée.' });
    await recordAudits(tx, ctx, [
      { action: 'passkey.added', accountId, subject: { type: 'passkey', id }, data: { name } },
    ]);
  });
  notifyOfPasskey(deps.post, { email, name });
  return { id, name };
}

async function checkedMade(
  ctx: Context<MemberActor>,
  { made, browser, party }: { made: MadePasskey; browser: string | null; party: RelyingParty },
  deps: PasskeyDeps,
) {
  if (browser === null) throw notMade();
  const use = boundTo(ctx, browser, deps);
  let challenge: { text: string; endsAt: Date } | null = null;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verdict = await verifyRegistrationResponse({
    response: made as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge(text) {
      const live = liveChallenge(deps.secret, use, text, ctx.clock.now());
      challenge = live && { text, ...live };
      return live !== null;
    },
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  const spent = challenge as { text: string; endsAt: Date } | null;
  if (!spent || !verdict?.verified) throw notMade();
  const { credential, aaguid } = verdict.registrationInfo;
  return { credential, aaguid, challenge: spent };
}

const notMade = () =>
  new ServiceError('invalid_request', {
    message: 'Cette clé d’accès n’a pas pu être vérifiée\u00a0: rien n’a été enregistré. Recommencez.',
  });

const tooMany = () =>
  new ServiceError('conflict', {
    message: `Vous avez déjà ${MAX_PASSKEYS} clés d’accès, le plus possible\u00a0: retirez-en une d’abord.`,
  });
