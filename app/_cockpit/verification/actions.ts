'use server';
import { cookies, headers } from 'next/headers';
import { z } from 'zod';
import { env } from '#lib/core/env.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { networkOf } from '#lib/http/requests/network.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { browserCookie, newBrowserToken, readBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { sendVerificationCode, verifyByCode } from '#lib/identity/verification/verify-by-code.ts';

/** Mails the code that proves, in this browser, who is there. */
export const mailCode = memberCall({
  schema: z.object({}),
  async run(ctx) {
    const store = await cookies();
    const isSecure = isSecureService();
    const held = readBrowserToken((name) => store.get(name)?.value, isSecure);
    const browser = held ?? newBrowserToken();
    const { email } = await sendVerificationCode(
      ctx,
      { network: networkOf(await headers()), browser },
      { secret: env().SERVICE_SESSION_SECRET, post: (mail) => postLater(mail, ctx.requestId) },
    );
    if (!held) store.set(browserCookie(browser, isSecure));
    return { data: { email } };
  },
});

/** The mailed code: for ten minutes this session may do what asks for a proof. */
export const proveByCode = memberAction({
  schema: z.object({ code: z.string() }),
  async run(ctx, { code }) {
    const [store, sent] = [await cookies(), await headers()];
    await verifyByCode(
      ctx,
      {
        code,
        network: networkOf(sent),
        browser: readBrowserToken((name) => store.get(name)?.value, isSecureService()),
        userAgent: sent.get('user-agent') ?? '',
      },
      { secret: env().SERVICE_SESSION_SECRET, post: (mail) => postLater(mail, ctx.requestId) },
    );
  },
});
