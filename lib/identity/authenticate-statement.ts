import type { MemberRole, Permission, Scope } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { type AccountRead, selectSql, textOf } from '#lib/db/account-read.ts';
import type { Sql } from '#lib/db/connection.ts';
import { countRequestSql, type RateCounts, REQUESTS_PER_MINUTE, rateParams } from './rate-limit.ts';

const MINUTE_MS = 60_000;

/** How one kind of credential is looked up. $1 is the token's SHA-256, $2 now, $5 a minute ago; its own parameters start at $6. */
export type CredentialKind = {
  name: string;
  /** Body of the CTE `credential(id, accountId, memberId, clientId, scopes, role, permissions, lastUsedAt)`: one row or none. */
  find: string;
  /** The table whose `lastUsedAt` tells its last use. */
  table: 'DeveloperKey' | 'OAuthGrant';
  params: readonly unknown[];
};

export type CredentialRow = {
  id: string;
  accountId: string;
  memberId: string;
  clientId: string | null;
  role: MemberRole;
  permissions: Permission[];
  scopes: Scope[];
};

/** A read that rides on the authentication: it runs only for a credential that carries `scope` and is within its rate. */
export type Ride<R> = { scope: Scope; read: AccountRead<R> };

export type Authenticated<R> = {
  credential: CredentialRow;
  rate: RateCounts;
  /** What the read says. To be called once rate and scope were judged: without them it saw nothing. Throws its refusals. */
  ridden(): R;
};

const COLUMNS = `c.id AS "credentialId", c."accountId" AS "credentialAccountId", c."memberId", c."clientId", c.role AS "memberRole", c.permissions,
  c.scopes, n.requests, n.writes, set_config('synchronous_commit', 'off', true)`;

// The names of what a read adds are its own: none of these.
type Row = Omit<CredentialRow, 'id' | 'accountId' | 'role'> & {
  credentialId: string;
  credentialAccountId: string;
  memberRole: MemberRole;
  requests: number;
  writes: number;
  present: boolean;
};

/**
 * Finds the living credential behind a token and counts the request against its rate limit, in one round trip; with a ride, the
 * read that the request is for is made in the same statement. Null: no such living credential.
 */
export async function authenticateStatement<R = never>(
  deps: { sql: Sql; clock: Clock },
  kind: CredentialKind,
  token: string,
  options: { isWrite: boolean; ride?: Ride<R> },
): Promise<Authenticated<R> | null> {
  const now = deps.clock.now();
  const rate = rateParams(now, options.isWrite);
  const { ride } = options;
  const name = ride ? `${kind.name}+${ride.read.name}` : kind.name;
  const rows = await deps.sql.rows<Row>(
    name,
    textOf(name, () => write(kind, ride?.read)),
    [
      sha256(token),
      // As text: the driver writes a Date field by field.
      now.toISOString(),
      rate.windowStart.toISOString(),
      rate.writeIncrement,
      new Date(now.getTime() - MINUTE_MS).toISOString(),
      ...kind.params,
      ...(ride ? [ride.scope, ...ride.read.params] : []),
    ],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    credential: {
      id: row.credentialId,
      accountId: row.credentialAccountId,
      memberId: row.memberId,
      clientId: row.clientId,
      role: row.memberRole,
      permissions: row.permissions,
      scopes: row.scopes,
    },
    rate: { requests: row.requests, writes: row.writes, resetSeconds: rate.resetSeconds },
    ridden: () => {
      if (!ride) throw new Error('no read rode on this authentication');
      return ride.read.finish(rows.filter(({ present }) => present));
    },
  };
}

function write(kind: CredentialKind, read: AccountRead<unknown> | undefined): string {
  const ctes = `credential AS (${kind.find}), used AS (
  UPDATE "${kind.table}" k SET "lastUsedAt" = $2 FROM credential c
  WHERE k.id = c.id AND (c."lastUsedAt" IS NULL OR c."lastUsedAt" <= $5)
), ${countRequestSql('credential')}`;
  const from = 'credential c CROSS JOIN counted n';
  if (!read) return `WITH ${ctes}\nSELECT ${COLUMNS}\nFROM ${from}`;
  const scope = 6 + kind.params.length;
  const caller = `caller AS (
  SELECT c."accountId" FROM ${from} WHERE n.requests <= ${REQUESTS_PER_MINUTE} AND $${scope} = ANY (c.scopes)
)`;
  const parts = read.sql('(SELECT caller."accountId" FROM caller)', scope + 1);
  return selectSql(parts, { ctes: `${ctes}, ${caller}`, columns: COLUMNS, from });
}
