'use server';
import { z } from 'zod';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { usedPasskey } from '#lib/identity/passkeys/schemas.ts';
import { sendVerificationCode, verifyByCode } from '#lib/identity/verification/verify-by-code.ts';
import { passkeyVerificationOptions, verifyByPasskey } from '#lib/identity/verification/verify-by-passkey.ts';
import { callingBrowser } from './here.ts';

/** Mails the code that verifies the member's identity in this browser. */
export const mailCode = memberCall({
  whileClosed: true,
  schema: z.object({}),
  async run(ctx) {
    const { secret, network, held } = await callingBrowser();
    const post = (mail: Parameters<typeof postLater>[0]) => postLater(mail, ctx.requestId);
    const { email } = await sendVerificationCode(ctx, { network, browser: held() }, { secret, post });
    return { data: { email } };
  },
});

/** Verifies the member by the mailed code: for ten minutes, the session may do what needs a verification. */
export const proveByCode = memberAction({
  whileClosed: true,
  schema: z.object({ code: z.string() }),
  async run(ctx, { code }) {
    const { secret, network, browser, userAgent } = await callingBrowser();
    const post = (mail: Parameters<typeof postLater>[0]) => postLater(mail, ctx.requestId);
    await verifyByCode(ctx, { code, network, browser, userAgent }, { secret, post });
  },
});

/** The options to verify the member by a passkey; null if they have none. */
export const passkeyProofOptions = memberCall({
  whileClosed: true,
  schema: z.object({}),
  async run(ctx) {
    const { secret, held, party } = await callingBrowser();
    const options = await passkeyVerificationOptions(ctx, { browser: held(), party: party() }, { secret });
    return { data: options };
  },
});

/** Verifies the member by a passkey, with the same effect as the mailed code. */
export const proveByPasskey = memberCall({
  whileClosed: true,
  schema: z.object({ answer: usedPasskey }),
  async run(ctx, { answer }) {
    const { secret, network, browser, party } = await callingBrowser();
    await verifyByPasskey(ctx, { answer, party: party(), network, browser }, { secret });
  },
});
