import { isWritingScope } from '#lib/core/actor.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { microsFromTyped } from '#lib/core/input/typed-amount.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import type { Micros } from '#lib/core/money.ts';
import { isRecentlyVerified } from '#lib/core/recent-verification.ts';
import { chosenSpaces } from '#lib/identity/chosen-spaces.ts';
import { accountClosed } from '#lib/identity/closing/closing-rules.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import { checkAuthorization, refusalLocation } from '#lib/oauth/check-authorization.ts';
import { grantConsent } from '#lib/oauth/grant-consent.ts';
import { hasConsented } from '#lib/oauth/has-consented.ts';
import { isConsentTicket } from '#lib/oauth/protocol/consent-ticket.ts';
import { OAuthError, oauthErrorBody } from '#lib/oauth/protocol/errors.ts';
import { redirectTarget } from '#lib/oauth/protocol/redirect-uri.ts';
import { consentForm } from '#lib/oauth/protocol/schemas.ts';
import { MAX_OAUTH_REQUEST_BYTES, readForm } from '../requests/oauth-requests.ts';
import { wantsPage } from '../requests/wants-page.ts';
import { oauthDeniedPage, oauthRedirect, oauthRefusalPage } from '../responses/oauth-page.ts';
import { baseHeaders, jsonResponse, toServiceError } from '../responses/respond.ts';
import { apiPath, type Method } from '../routes/api-path.ts';
import { type DeclaredHandler, declared, type RouteDeclaration } from '../routes/declaration.ts';
import { createContext } from '../runtime/context.ts';
import { postLater } from '../runtime/mailer.ts';
import { serviceOrigin } from '../security/origin.ts';
import { signInPath } from '../security/return-path.ts';
import { isSameOrigin } from '../security/same-origin.ts';
import { memberOfCookie, requestCookie } from '../sessions/member-session.ts';
import { documentReader } from './with-oauth.ts';

/** Where a member answers a request that `GET /api/oauth/authorize` found good. */
const CONSENT_PATH = '/oauth/consentement';

type Step = (request: Request, requestId: string) => Promise<Response>;

const REFUSED = { description: 'Une page qui dit pourquoi', contentType: 'text/html' };

/** Turns whatever is thrown into a page in French: a person's browser comes here, not a program. */
function withPage(
  {
    answers: own,
    ...declaration
  }: Omit<RouteDeclaration, 'answers' | 'tag'> & Partial<Pick<RouteDeclaration, 'answers'>>,
  step: Step,
): DeclaredHandler {
  const answers = {
    ...own,
    303: { description: 'La suite, ou le refus à une application déjà autorisée' },
    ...Object.fromEntries(
      [400, 401, 403, 404, 409, 413, 415, 429, 500, 502, 503].map((status) => [status, REFUSED]),
    ),
  };
  const bound = {
    ...declaration,
    tag: 'OAuth',
    answers,
    caller: { kind: 'browser' },
    dialect: 'page',
    commonErrors: [],
  } as const;
  return declared(bound, async (request) => {
    const requestId = createId('request');
    try {
      return await step(request, requestId);
    } catch (thrown) {
      if (thrown instanceof OAuthError) {
        const { status, message, headers } = thrown;
        return oauthRefusalPage({ status, message, headers, requestId });
      }
      const error = toServiceError(thrown, createContext({ type: 'anonymous' }, requestId).log, requestId);
      const wait = error.options.retryAfterSeconds;
      return oauthRefusalPage({
        status: error.status,
        message: errorMessage(error),
        requestId,
        headers: { ...error.options.headers, ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) },
      });
    }
  });
}

/**
 * The handlers of a consent address. Another method is refused with a page to a browser (somebody reopens the address of their answer), and in
 * the OAuth dialect to a program.
 */
export function consentPath(handlers: Partial<Record<Method, DeclaredHandler>>) {
  return apiPath(handlers, (error, request, requestId) => {
    const { status, options } = error;
    const own = { ...options.headers, Vary: 'Accept' };
    if (wantsPage(request)) {
      const message = 'Cette adresse ne s’ouvre pas ainsi. Relancez la connexion depuis l’application.';
      return oauthRefusalPage({ status, message, requestId, headers: own });
    }
    const headers = baseHeaders(requestId);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    const refused = new OAuthError('invalid_request', errorMessage(error));
    return jsonResponse(status, oauthErrorBody(refused), headers);
  });
}

/** `GET /api/oauth/authorize`: judges the request, then shows it to the member, or answers as the protocol wants. */
export const authorize = withPage(
  { id: 'authorize', summary: 'Demander l’accord d’une personne' },
  async (request, requestId) => {
    const { search, searchParams } = new URL(request.url);
    const member = await memberOfCookie(requestCookie(request), { isWrite: false });
    const verdict = await checkAuthorization(
      createContext(member?.actor ?? { type: 'anonymous' }, requestId),
      {
        params: searchParams,
        issuer: serviceOrigin(request),
        reader: documentReader(request.headers),
      },
    );
    if (verdict.kind === 'page') return oauthRefusalPage({ ...verdict, requestId });
    if (verdict.kind === 'redirect') return oauthRedirect(verdict.location, requestId);
    return oauthRedirect(CONSENT_PATH + search, requestId);
  },
);

/**
 * `POST /api/oauth/consent`: the member's answer to the page that was shown to this very session, for this very request,
 * less than a quarter of an hour ago.
 */
export const answerConsent = withPage(
  {
    id: 'answerConsent',
    summary: 'Répondre à la demande d’accord',
    answers: { 200: { description: 'Une page qui confirme le refus', contentType: 'text/html' } },
    body: { type: 'form', schema: consentForm, maxBytes: MAX_OAUTH_REQUEST_BYTES },
  },
  async (request, requestId) => {
    if (!isSameOrigin(request))
      throw new ServiceError('forbidden', { message: 'Cette réponse ne vient pas de la page d’Atelier.' });
    const form = await readForm(request, consentForm);
    const query = form.need('request');
    const member = await memberOfCookie(requestCookie(request), { isWrite: true });
    if (!member) return oauthRedirect(signInPath(`${CONSENT_PATH}?${query}`), requestId);
    if (member.actor.closed) throw accountClosed();
    const ctx = createContext(member.actor, requestId);
    const { sessionId, memberId } = member.actor;
    // Another tab may have gone to another account since: that one was never shown.
    const shown = { sessionId, memberId, query };
    const secret = env().SERVICE_SESSION_SECRET;
    if (!isConsentTicket(form.get('ticket') ?? '', shown, ctx.clock.now(), secret))
      throw new ServiceError('forbidden', {
        message:
          'Cette page de consentement a expiré, ou nommait un autre de vos comptes. Relancez la connexion depuis l’application.',
      });
    const issuer = serviceOrigin(request);
    const verdict = await checkAuthorization(ctx, {
      params: new URLSearchParams(query),
      issuer,
      reader: documentReader(request.headers),
    });
    if (verdict.kind === 'page') return oauthRefusalPage({ ...verdict, requestId });
    if (verdict.kind === 'redirect') return oauthRedirect(verdict.location, requestId);
    if (form.get('decision') === 'accept') {
      // The page asks for the proof, and comes back here.
      if (verdict.request.scopes.some(isWritingScope) && !isRecentlyVerified(ctx))
        return oauthRedirect(`${CONSENT_PATH}?${query}`, requestId);
      const post = (mail: Mail) => postLater(mail, requestId);
      const monthlyCapMicros = readCap(form.get('monthlyCapUsd'));
      const spaces = chosenSpaces({ reach: form.get('reach'), spaces: form.get('spaces') });
      const cap = form.get('shown');
      const given = { monthlyCapMicros, spaces, ...(cap ? { shown: { monthlyCapMicros: cap } } : {}) };
      return oauthRedirect(
        await grantConsent(ctx, { request: verdict.request, issuer, ...given }, post),
        requestId,
      );
    }
    const { client, redirectUri, state } = verdict.request;
    const message = 'La personne a refusé.';
    const location = refusalLocation({ redirectUri, state, issuer, code: 'access_denied', message });
    if (await hasConsented(ctx, client.id)) return oauthRedirect(location, requestId);
    return oauthDeniedPage({ location, target: redirectTarget(redirectUri).label, requestId });
  },
);

/** The cap that the page sent, in micro-dollars; undefined when it asked for none. */
function readCap(typed: string | null): Micros | undefined {
  if (typed === null) return undefined;
  const micros = microsFromTyped(typed);
  if (micros === null)
    throw new ServiceError('invalid_request', {
      message:
        'Le plafond par mois s’écrit en dollars, par exemple 5 ou 12,50. Revenez à la page précédente.',
    });
  return micros;
}
