import { sql } from 'kysely';
import type { KeyActor } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { commonSpaces } from '#lib/db/space-rights.ts';
import type { Executor } from '#lib/db/types.ts';
import {
  type AuthenticatedRead,
  type CredentialKind,
  findCredential,
  isClosed,
  openScopes,
} from '../find-credential.ts';
import type { RateCounts } from '../rate/rate-limit.ts';
import { KEY_SHAPE } from './developer-keys.ts';

const KEY: CredentialKind<object> = {
  name: 'authenticate-key',
  find: (db, p) =>
    db
      .selectFrom('DeveloperKey as k')
      .innerJoin('Member as m', 'm.id', 'k.memberId')
      .innerJoin('Account as a', 'a.id', 'k.accountId')
      .select([
        'k.id',
        'k.accountId',
        'k.memberId',
        sql<string | null>`NULL::text`.as('clientId'),
        openScopes('k.scopes'),
        isClosed,
        'k.allowanceId',
        commonSpaces('m.role', 'm.spaceRights', 'k.spaceRights').as('spaces'),
        'k.lastUsedAt',
        'm.role',
        'm.permissions',
      ])
      .where('k.tokenHash', '=', p.tokenHash)
      .where('k.revokedAt', 'is', null)
      .where((eb) => eb.or([eb('k.expiresAt', 'is', null), eb('k.expiresAt', '>', p.now)]))
      .where('m.status', '=', 'ACTIVE')
      .where('a.erasingAt', 'is', null),
  table: 'DeveloperKey',
};

/**
 * Finds the living key behind a bearer token and counts the request against its rate limit, in one round trip, with the read that
 * the request is for. Null: unknown, expired or revoked key, or a member who is not active.
 */
export async function authenticateKey<R = never>(
  deps: { kysely: Executor; clock: Clock; accountRequests?: number | undefined },
  token: string,
  options: { isWrite: boolean; read?: AuthenticatedRead<R> | undefined },
): Promise<{ actor: KeyActor; rate: RateCounts; answer(): R } | null> {
  if (!KEY_SHAPE.test(token)) return null;
  const found = await findCredential(deps, KEY, { ...options, token, params: {} });
  if (!found) return null;
  const { id: keyId, holder } = found.credential;
  return { ...found, actor: { type: 'key', keyId, ...holder } };
}
