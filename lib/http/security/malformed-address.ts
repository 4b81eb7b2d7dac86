import { ServiceError } from '#lib/core/errors.ts';
import { jsonRpcError, PARSE_ERROR } from '#lib/mcp/protocol/json-rpc.ts';
import { OAuthError, oauthErrorBody } from '#lib/oauth/protocol/errors.ts';
import { DIALECTS, type Dialect } from '../responses/dialects.ts';
import { errorBody } from '../responses/respond.ts';

/** Whether a path cannot be decoded: a « % » that is no byte, or bytes that are no UTF-8. Next would answer a bare 500. */
export function isMalformedPath(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

/** The dialect of an address's refusals before its route is known: that of the routes beside it. */
function dialectOfPath(path: string): Dialect {
  if (/^\/api\/mcp(\/|$)/.test(path)) return 'json-rpc';
  if (/^\/(api\/oauth|\.well-known)(\/|$)/.test(path)) return 'oauth';
  if (/^\/api\/(v1|brain)(\/|$)/.test(path)) return 'brain';
  return /^\/api(\/|$)/.test(path) ? 'studio' : 'page';
}

type EarlyRefusal = { status: number; body: string; headers: Record<string, string> };

const BAD_ADDRESS = 'Cette adresse est incorrecte.';

const UNENCODED_ADDRESS =
  'Cette adresse contient des caractères qui doivent être encodés en UTF-8\u00a0: «\u00a0é\u00a0» s’écrit %C3%A9.';

/** 400 for a path that cannot be decoded, in the words of its neighbours. */
export function refuseMalformedPath(path: string): EarlyRefusal {
  return written(400, dialectOfPath(path), BAD_ADDRESS);
}

/** 400 for an address with letters that are not encoded, as curl sends what is typed, in the words of its neighbours. */
export function refuseUnencodedPath(path: string): EarlyRefusal {
  return written(400, dialectOfPath(path), UNENCODED_ADDRESS);
}

/** 405 for a method that no route can have, in the words of the address. */
export function refuseMethod(path: string): EarlyRefusal {
  const refusal = written(405, dialectOfPath(path), 'Cette adresse n’accepte pas cette méthode.');
  return { ...refusal, headers: { ...refusal.headers, Allow: 'GET, HEAD, POST, OPTIONS' } };
}

function written(status: 400 | 405, dialect: Dialect, message: string): EarlyRefusal {
  const json = (body: object) => ({
    status,
    body: JSON.stringify(body),
    headers: { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' },
  });
  switch (dialect) {
    case 'oauth':
      return json(oauthErrorBody(new OAuthError('invalid_request', message)));
    case 'page':
      return { status, body: message, headers: { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' } };
    case 'json-rpc':
      return json(
        jsonRpcError(refusalOf(status, 'brain', message), null, status === 400 ? PARSE_ERROR : undefined),
      );
    default:
      return json(errorBody(refusalOf(status, dialect, message)));
  }
}

const refusalOf = (status: 400 | 405, dialect: 'brain' | 'studio', message: string) =>
  new ServiceError(status === 405 ? 'method_not_allowed' : DIALECTS[dialect].malformed, { message });

const HEADERS = {
  'Content-Language': 'fr',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
};
