import type { Context } from '#lib/core/context.ts';
import { type DocumentReader, findClient } from './clients/find-client.ts';
import { hasConsented } from './has-consented.ts';
import type { Client } from './protocol/client.ts';
import {
  DEFAULT_SCOPES,
  HABITUAL_SCOPES,
  OAUTH_SCOPES,
  type OAuthScope,
  RESOURCE_PATHS,
  type ResourcePath,
} from './protocol/config.ts';
import { asciiDescription, OAuthError, type OAuthErrorCode } from './protocol/errors.ts';
import { isRegisteredRedirect, redirectUriFault } from './protocol/redirect-uri.ts';

/** A request that a member may be asked about. */
export type AuthorizationRequest = {
  client: Client;
  redirectUri: string;
  state: string | null;
  scopes: OAuthScope[];
  resource: ResourcePath;
  challenge: string;
};

type AuthorizationVerdict =
  | { kind: 'ask'; request: AuthorizationRequest }
  /** An answer by redirect, to a client that this member has consented to before, at its registered address. */
  | { kind: 'redirect'; location: string }
  /**
   * The request or its client cannot be trusted: the person is told on a page, never by a redirect. The message about a fault of the
   * application is written for its publisher: it names parameters.
   */
  | {
      kind: 'page';
      message: string;
      isApplicationFault: boolean;
      status: number;
      headers: Record<string, string>;
    };

const MAX_QUERY_LENGTH = 4000;
const ONCE = ['response_type', 'code_challenge', 'code_challenge_method', 'scope', 'state'];

/**
 * Validates an authorization request (OAuth 2.1 with RFC 8707 and RFC 9207): PKCE S256, a redirect that the client registered, one resource of
 * ours. Every answer to the client carries `iss`. A fault is sent to the client only when the member who acts consented to it before:
 * otherwise anybody could register and make of this service an open redirector.
 */
export async function checkAuthorization(
  ctx: Context,
  input: { params: URLSearchParams; issuer: string; reader: DocumentReader },
): Promise<AuthorizationVerdict> {
  const { params, issuer } = input;
  if (params.toString().length > MAX_QUERY_LENGTH) return applicationFault('Cette demande est trop longue.');
  const clientId = params.get('client_id');
  const redirectUri = params.get('redirect_uri');
  if (!clientId || params.getAll('client_id').length > 1)
    return applicationFault(
      'Cette demande ne dit pas, une fois et une seule, quelle application la fait (client_id).',
    );
  if (!redirectUri || params.getAll('redirect_uri').length > 1)
    return applicationFault(
      'Cette demande ne dit pas, une fois et une seule, où renvoyer la réponse (redirect_uri).',
    );

  let client: Client | null;
  try {
    client = await findClient(ctx, clientId, input.reader);
  } catch (error) {
    if (error instanceof OAuthError)
      return { ...page(error.message), status: error.status === 429 ? 429 : 400, headers: error.headers };
    throw error;
  }
  if (!client)
    return page(
      'L’application qui fait cette demande est inconnue. Retirez la connexion dans l’assistant, puis ajoutez-la de nouveau.',
    );
  if (!isRegisteredRedirect(redirectUri, client.redirectUris))
    return applicationFault(
      redirectUriFault(redirectUri) ??
        'L’adresse de retour n’est pas une de celles que l’application a déclarées (redirect_uri).',
    );

  try {
    return { kind: 'ask', request: readRequest(params, issuer, client, redirectUri) };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { code, message } = error;
    // A registration chooses its own name and address: only a member's consent makes that address a valid redirect target.
    if (!(await hasConsented(ctx, client.id))) return applicationFault(message);
    return {
      kind: 'redirect',
      location: refusalLocation({ redirectUri, state: stateOf(params), issuer, code, message }),
    };
  }
}

function page(message: string): Extract<AuthorizationVerdict, { kind: 'page' }> {
  return { kind: 'page', message, isApplicationFault: false, status: 400, headers: {} };
}

const applicationFault = (message: string) => ({ ...page(message), isApplicationFault: true });

function stateOf(params: URLSearchParams): string | null {
  return params.getAll('state').length === 1 ? params.get('state') : null;
}

function readRequest(
  params: URLSearchParams,
  issuer: string,
  client: Client,
  redirectUri: string,
): AuthorizationRequest {
  for (const name of ONCE)
    if (params.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `Le paramètre ${name} est donné deux fois.`);
  const responseType = params.get('response_type');
  if (!responseType) throw new OAuthError('invalid_request', 'Le paramètre response_type est obligatoire.');
  if (responseType !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type doit valoir code.');
  const responseMode = params.get('response_mode');
  // Sent without a value, a parameter is one that was left out (RFC 6749, 3.1).
  if (responseMode && responseMode !== 'query')
    throw new OAuthError('invalid_request', 'response_mode doit valoir query.');
  const challenge = params.get('code_challenge');
  if (!challenge)
    throw new OAuthError('invalid_request', 'PKCE est obligatoire\u00a0: code_challenge manque.');
  if (params.get('code_challenge_method') !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method doit valoir S256.');
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge n’est pas une empreinte SHA-256 en base64url.');
  const resource = readResource(params.getAll('resource'), issuer);
  return {
    client,
    redirectUri,
    state: params.get('state'),
    scopes: readScopes(params.get('scope')),
    resource,
    challenge,
  };
}

/** The path of the one resource of ours that is asked for. Errors: `invalid_target` when it is absent, foreign or doubled. */
export function readResource(values: readonly string[], issuer: string): ResourcePath {
  const [value, ...others] = values;
  const known = RESOURCE_PATHS.map((path) => issuer + path).join(' ou ');
  if (!value)
    throw new OAuthError('invalid_target', `Le paramètre resource est obligatoire\u00a0: ${known}.`);
  if (others.length > 0) throw new OAuthError('invalid_target', 'Le paramètre resource est donné deux fois.');
  const path = RESOURCE_PATHS.find((one) => sameResource(value, issuer + one));
  if (!path) throw new OAuthError('invalid_target', `La ressource demandée n’est pas ici\u00a0: ${known}.`);
  return path;
}

// Case of scheme and host, a default port and one final slash do not make another resource; anything else does.
function sameResource(asked: string, own: string): boolean {
  const url = URL.parse(asked);
  if (!url || asked.includes('#') || url.search || url.username || url.password) return false;
  return url.href.replace(/\/$/, '') === new URL(own).href;
}

const possible = new Intl.ListFormat('fr');

/** The scopes of a request, the least when it names none. Errors: `invalid_scope` for one that an application cannot have. */
export function readScopes(text: string | null): OAuthScope[] {
  const named = namedScopes(text);
  return named.length === 0 ? [...DEFAULT_SCOPES] : named;
}

/** The scopes that a request names; none where it leaves the choice. Errors: those of `readScopes`. */
export function namedScopes(text: string | null): OAuthScope[] {
  const asked = new Set((text ?? '').split(' ').filter((scope) => scope !== ''));
  const known: readonly string[] = OAUTH_SCOPES;
  const unknown = [...asked].filter((scope) => !known.includes(scope) && !HABITUAL_SCOPES.has(scope));
  if (unknown.length > 0)
    throw new OAuthError('invalid_scope', `Les droits possibles sont ${possible.format(OAUTH_SCOPES)}.`);
  return OAUTH_SCOPES.filter((scope) => asked.has(scope));
}

/** Address that tells the client why it gets no code. */
export function refusalLocation(input: {
  redirectUri: string;
  state: string | null;
  issuer: string;
  code: OAuthErrorCode;
  message: string;
}): string {
  return answerLocation(input.redirectUri, {
    error: input.code,
    error_description: asciiDescription(input.message),
    ...(input.state === null ? {} : { state: input.state }),
    iss: input.issuer,
  });
}

/** The redirect address with these parameters added; its own query and spelling stay as registered. */
export function answerLocation(redirectUri: string, values: Record<string, string>): string {
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&';
  return redirectUri + separator + new URLSearchParams(values).toString();
}
