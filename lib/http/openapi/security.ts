import type { Scope } from '#lib/core/actor.ts';
import { isSecureService, sessionCookieName } from '#lib/identity/sessions/session-cookie.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { OAUTH_SCOPES, type OAuthScope } from '#lib/oauth/protocol/config.ts';
import type { BoundDeclaration, Caller } from '../routes/declaration.ts';

type Requirement = Record<string, string[]>;

const isGrantable = (scope: Scope): scope is OAuthScope =>
  (OAUTH_SCOPES as readonly string[]).includes(scope);

/** What a caller must show; several requirements are alternatives. A scope that only keys carry has one. */
export function requirementsOf(caller: Caller): Requirement[] {
  switch (caller.kind) {
    case 'credential':
      return ofScope(caller.scope);
    case 'member':
      return [{ session: [] }, ...(caller.scope ? ofScope(caller.scope) : [])];
    case 'callback':
      return [{ signature: [] }];
    case 'scheduler':
      return [{ scheduler: [] }];
    case 'either':
      return caller.callers.flatMap(requirementsOf);
    default:
      return [];
  }
}

function ofScope(scope: Scope): Requirement[] {
  return [{ developerKey: [] }, ...(isGrantable(scope) ? [{ oauth: [scope] }] : [])];
}

/** The security schemes that some operations name. */
export function securitySchemes(declarations: readonly BoundDeclaration[], origin: string) {
  const callers = declarations.flatMap(({ caller }) =>
    caller.kind === 'either' ? caller.callers : [caller],
  );
  const used = new Set(callers.flatMap(requirementsOf).flatMap((one) => Object.keys(one)));
  const signed = callers.find((caller) => caller.kind === 'callback');
  const schemes = SCHEMES({ origin, signature: signed?.signature ?? '' });
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)));
}

const SCHEMES = ({ origin, signature }: { origin: string; signature: string }) => ({
  developerKey: {
    type: 'http' as const,
    scheme: 'bearer',
    description: 'Clé de développeur\u00a0: `atl_` et 64 chiffres hexadécimaux.',
  },
  oauth: {
    type: 'oauth2' as const,
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}/api/oauth/authorize`,
        tokenUrl: `${origin}/api/oauth/token`,
        scopes: Object.fromEntries(OAUTH_SCOPES.map((scope) => [scope, SCOPE_WORDS[scope].label])),
      },
    },
  },
  session: {
    type: 'apiKey' as const,
    in: 'cookie' as const,
    name: sessionCookieName(isSecureService(origin)),
    description:
      'La session d’un membre, ouverte sur la page de connexion. Une écriture doit venir de la même origine.',
  },
  signature: {
    type: 'apiKey' as const,
    in: 'header' as const,
    name: signature,
    description: 'La signature du magasin de fichiers.',
  },
  scheduler: { type: 'http' as const, scheme: 'bearer', description: 'Le secret du planificateur.' },
});
