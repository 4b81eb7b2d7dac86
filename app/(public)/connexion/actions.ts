'use server';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { callingBrowser } from '#app/_cockpit/verification/here.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { publicAction } from '#lib/http/actions/public-action.ts';
import { networkOf } from '#lib/http/requests/network.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { returnPath, signInPath } from '#lib/http/security/return-path.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { usedPasskey } from '#lib/identity/passkeys/schemas.ts';
import { passkeySignInOptions, signInWithPasskey } from '#lib/identity/passkeys/sign-in-with-passkey.ts';
import {
  readSessionCookie,
  sessionCookie,
  signSessionCookie,
} from '#lib/identity/sessions/session-cookie.ts';
import { browserCookie, newBrowserToken, readBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { pendingCookie, readPending } from './pending.ts';

const back = z.string().optional();

/** First step: sends a code. The address is kept in this browser for as long as the code lives, so that leaving for the mail loses nothing. */
export const askForCode = publicAction({
  schema: z.object({ email: z.string().trim().min(1, 'Donnez votre adresse e-mail.'), retour: back }),
  async run(ctx, input) {
    const requestHeaders = await headers();
    const store = await cookies();
    const isSecure = isSecureService();
    const browser = readBrowserToken((name) => store.get(name)?.value, isSecure) ?? newBrowserToken();
    const asked = await requestSignInCode(
      ctx,
      { email: input.email, network: networkOf(requestHeaders), browser },
      { secret: env().SERVICE_SESSION_SECRET, post: (mail) => postLater(mail, ctx.requestId) },
    );
    const sentAt = ctx.clock.now();
    store.set(browserCookie(browser, isSecure));
    store.set(pendingCookie({ ...asked, sentAt }, sentAt, isSecure));
    redirect(signInPath(returnPath(input.retour)));
  },
});

/** Second step: the code opens a session. */
export const enterCode = publicAction({
  schema: z.object({ code: z.string(), retour: back }),
  async run(ctx, input) {
    const requestHeaders = await headers();
    const store = await cookies();
    const now = ctx.clock.now();
    const pending = readPending((name) => store.get(name)?.value, now, isSecureService());
    if (!pending)
      throw new ServiceError('unauthenticated', {
        message: 'Le code a expiré. Donnez de nouveau votre adresse\u00a0: un autre vous sera envoyé.',
      });
    const secret = env().SERVICE_SESSION_SECRET;
    const carried = store.get(sessionCookie('', isSecureService()).name)?.value;
    const { sessionId, memberId } = await verifySignInCode(
      ctx,
      {
        email: pending.email,
        code: input.code,
        network: networkOf(requestHeaders),
        browser: readBrowserToken((name) => store.get(name)?.value, isSecureService()),
        userAgent: requestHeaders.get('user-agent') ?? '',
        previousSessionId: (carried && (await readSessionCookie(carried, secret))) || undefined,
      },
      { secret, post: (mail) => postLater(mail, ctx.requestId) },
    );
    store.set(sessionCookie(await signSessionCookie(sessionId, secret), isSecureService()));
    store.set(pendingCookie(null, now, isSecureService()));
    redirect(memberId === null ? '/invitations' : returnPath(input.retour));
  },
});

/** Back to the first step, for another address. */
export const changeAddress = publicAction({
  schema: z.object({ retour: back }),
  async run(ctx, input) {
    (await cookies()).set(pendingCookie(null, ctx.clock.now(), isSecureService()));
    redirect(signInPath(returnPath(input.retour)));
  },
});

/** What the browser needs to sign in with a passkey; the same for everybody. */
export const passkeyOptions = publicAction({
  schema: z.object({}),
  async run(ctx) {
    const { secret, held, party } = await callingBrowser();
    return { data: await passkeySignInOptions(ctx, { browser: held(), party: party() }, { secret }) };
  },
});

/** A passkey's answer, as JSON. */
const answer = z
  .string()
  .max(40_000)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'La réponse de la clé d’accès est illisible.' });
      return z.NEVER;
    }
  })
  .pipe(usedPasskey);

/** A passkey opens a session as a code does. */
export const signInByPasskey = publicAction({
  schema: z.object({ answer, retour: back }),
  async run(ctx, input) {
    const { secret, party, ...from } = await callingBrowser();
    const store = await cookies();
    const carried = store.get(sessionCookie('', isSecureService()).name)?.value;
    const { sessionId, memberId } = await signInWithPasskey(
      ctx,
      {
        answer: input.answer,
        party: party(),
        network: from.network,
        browser: from.browser,
        userAgent: from.userAgent,
        previousSessionId: (carried && (await readSessionCookie(carried, secret))) || undefined,
      },
      { secret, post: (mail) => postLater(mail, ctx.requestId) },
    );
    store.set(sessionCookie(await signSessionCookie(sessionId, secret), isSecureService()));
    store.set(pendingCookie(null, ctx.clock.now(), isSecureService()));
    redirect(memberId === null ? '/invitations' : returnPath(input.retour));
  },
});
