import { POST as consent } from '#app/api/oauth/consent/route.ts';
import { POST as token } from '#app/api/oauth/token/route.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { signConsentTicket } from '#lib/oauth/protocol/consent-ticket.ts';
import { memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { ORIGIN } from './api.ts';
import type { TestService } from './service.ts';

/** Posts a form as a browser or a client does. */
export function post(
  handler: (request: Request) => Promise<Response>,
  path: string,
  values: Record<string, string> | [string, string][] | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return handler(
    new Request(ORIGIN + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        host: new URL(ORIGIN).host,
        ...headers,
      },
      body: typeof values === 'string' ? values : new URLSearchParams(values).toString(),
    }),
  );
}

/** Calls the token endpoint; returns the status, the headers and the parsed body. */
export async function askToken(
  values: Record<string, string> | [string, string][] | string,
  headers?: Record<string, string>,
) {
  const response = await post(token, '/api/oauth/token', values, headers);
  return { status: response.status, headers: response.headers, json: await response.json() };
}

/** A signed-in browser of a member: its cookie, and a function that submits the consent page. */
export async function signIn(service: TestService, member: Parameters<typeof memberActor>[0]) {
  const ctx = testContext(service, memberActor(member));
  const { sessionId } = await openSession(ctx, { accountId: member.accountId, memberId: member.id });
  const secret = process.env.SERVICE_SESSION_SECRET as string;
  const cookie = `${sessionCookieName(false)}=${await signSessionCookie(sessionId, secret)}`;
  return {
    sessionId,
    memberId: member.id,
    cookie,
    decide(
      query: string,
      decision: string,
      changes: { ticket?: string; headers?: Record<string, string> } = {},
    ) {
      const shown = { sessionId, memberId: member.id, query };
      const ticket = changes.ticket ?? signConsentTicket(shown, new Date(), secret);
      return post(
        consent,
        '/api/oauth/consent',
        { request: query, ticket, decision },
        { cookie, origin: ORIGIN, ...changes.headers },
      );
    },
  };
}
