import { type AliasedRawBuilder, type Kysely, type QueryCreator, type SelectQueryBuilder, sql } from 'kysely';
import { type MemberRole, type Permission, type Scope, WRITING_SCOPES } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/crypto.ts';
import {
  type AccountRead,
  type AccountStatement,
  type CallerTable,
  withRead,
  withReadParams,
} from '#lib/db/account-read.ts';
import { type Params, type Prepared, prepared } from '#lib/db/prepared.ts';
import { type Reach, reachOf, type SpaceRights } from '#lib/db/space-rights.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { countRequest, type RateCounts, type RatedRow, type RateParams, rateOf } from './rate/rate-limit.ts';

const MINUTE_MS = 60_000;

type TokenParams = { tokenHash: Uint8Array; now: Date };

type FoundCredential = {
  id: string;
  accountId: string;
  memberId: string;
  clientId: string | null;
  role: MemberRole;
  permissions: string[];
  scopes: string[];
  closed: boolean;
  allowanceId: string | null;
  spaces: SpaceRights | null;
  lastUsedAt: Date | null;
};

/** How one kind of credential is looked up. Declare each once per process: its prepared statements are cached with it. */
export type CredentialKind<P extends object> = {
  name: string;
  /** The living credential behind a token: one row or none. */
  find(
    db: QueryCreator<DB>,
    p: Params<TokenParams & P>,
    // biome-ignore lint/suspicious/noExplicitAny: whatever it selects from
  ): SelectQueryBuilder<any, any, FoundCredential>;
  /** The table whose `lastUsedAt` tells its last use, kept to the minute. */
  table: 'DeveloperKey' | 'OAuthGrant';
};

/**
 * The scopes of a credential, without the writing ones in a closed account (`a`). Written without a sub-query, which PostgreSQL would set up
 * for every request.
 */
export function openScopes(column: 'k.scopes' | 't.scopes'): AliasedRawBuilder<string[], 'scopes'> {
  const reading = WRITING_SCOPES.reduce(
    (left, scope) => sql<string[]>`array_remove(${left}, ${sql.lit(scope)})`,
    sql<string[]>`${sql.ref(column)}`,
  );
  return sql<
    string[]
  >`case when ${sql.ref('a.closedAt')} is null then ${sql.ref(column)} else ${reading} end`.as('scopes');
}

/** Whether the credential's account (`a`) is closed. */
export const isClosed = sql<boolean>`${sql.ref('a.closedAt')} is not null`.as('closed');

/** The account and member that a credential acts for, as in every credential actor. */
type CredentialHolder = Reach & {
  accountId: string;
  memberId: string;
  role: MemberRole;
  permissions: Permission[];
  scopes: Scope[];
  closed?: true;
  allowanceId?: string;
};

/** A read made in the same statement as the authentication: it returns no row unless the credential has `scope` and is within its rate. */
export type AuthenticatedRead<R> = { scope: Scope; read: AccountRead<R> };

type Authenticated<R> = {
  credential: { id: string; clientId: string | null; holder: CredentialHolder };
  rate: RateCounts;
  /** The result of the read, or its refusal, thrown. Call it only after rate and scope were checked: without them the read returned nothing. */
  answer(): R;
};

type Row = RatedRow & {
  callerId: string;
  callerAccountId: string;
  callerMemberId: string;
  callerClientId: string | null;
  callerRole: MemberRole;
  callerPermissions: Permission[];
  callerScopes: Scope[];
  callerClosed: boolean;
  callerAllowanceId: string | null;
  callerSpaces: SpaceRights | null;
  /** Whether the row is one of the read's. */
  found?: true | null;
};

/**
 * Finds the living credential behind a token and counts the request against its rate limit, in one round trip; with `read`, the
 * read that the request is for is made in the same statement. Null: no such living credential.
 */
export async function findCredential<P extends object, R = never>(
  deps: { kysely: Executor; clock: Clock; accountRequests?: number | undefined },
  kind: CredentialKind<P>,
  input: { token: string; params: P; isWrite: boolean; read?: AuthenticatedRead<R> | undefined },
): Promise<Authenticated<R> | null> {
  const now = deps.clock.now();
  const rate = rateOf(now, 'credential', { isWrite: input.isWrite, accountRequests: deps.accountRequests });
  const { read } = input;
  const rows = await statementOf(kind, read?.read.statement).all(deps.kysely, {
    ...input.params,
    ...rate.params,
    tokenHash: sha256(input.token),
    now,
    usedBefore: new Date(now.getTime() - MINUTE_MS),
    ...(read ? { scope: read.scope, ...withReadParams(read.read.params) } : {}),
  });
  const [row] = rows;
  if (!row) return null;
  return {
    credential: {
      id: row.callerId,
      clientId: row.callerClientId,
      holder: {
        accountId: row.callerAccountId,
        memberId: row.callerMemberId,
        role: row.callerRole,
        permissions: row.callerPermissions,
        scopes: row.callerScopes,
        ...(row.callerClosed ? { closed: true } : {}),
        ...(row.callerAllowanceId === null ? {} : { allowanceId: row.callerAllowanceId }),
        ...reachOf(row.callerSpaces),
      },
    },
    rate: rate.counts(row),
    answer: () => {
      if (!read) throw new Error('nothing was read with this authentication');
      return read.read.view(rows.filter(({ found }) => found));
    },
  };
}

type Own = TokenParams & RateParams & { usedBefore: Date; scope?: Scope };
type Statement = Prepared<Own, Row>;
const NO_READ = {};
const statements = new WeakMap<object, WeakMap<object, Statement>>();

function statementOf<P extends object>(
  kind: CredentialKind<P>,
  // biome-ignore lint/suspicious/noExplicitAny: any read
  read: AccountStatement<any, any> | undefined,
): Statement {
  const ofKind = statements.get(kind) ?? new WeakMap<object, Statement>();
  statements.set(kind, ofKind);
  const known = ofKind.get(read ?? NO_READ);
  if (known) return known;
  const label = read ? `${kind.name}+${read.name}` : kind.name;
  const made: Statement = prepared(label, (db, p: Params<Own>) => build(db, p, kind, read));
  ofKind.set(read ?? NO_READ, made);
  return made;
}

function build<P extends object>(
  db: Kysely<DB>,
  p: Params<Own>,
  kind: CredentialKind<P>,
  // biome-ignore lint/suspicious/noExplicitAny: any read
  read: AccountStatement<any, any> | undefined,
) {
  const counted = countRequest(
    db
      .with('credential', (one) => kind.find(one, p as unknown as Params<TokenParams & P>))
      .with('used', (one) =>
        one
          .updateTable(kind.table)
          .from('credential')
          .set({ lastUsedAt: p.now })
          .whereRef(`${kind.table}.id`, '=', 'credential.id')
          .where((eb) =>
            eb.or([eb('credential.lastUsedAt', 'is', null), eb('credential.lastUsedAt', '<=', p.usedBefore)]),
          ),
      ),
    p,
    'id',
  ).with('caller', (one) =>
    one
      .selectFrom('credential as c')
      .innerJoin('rated as n', (join) => join.onTrue())
      .select((eb) => [
        'c.id',
        'c.memberId',
        'c.accountId as callerAccountId',
        'c.clientId',
        'c.role',
        'c.permissions',
        'c.scopes',
        'c.closed',
        'c.allowanceId',
        'c.spaces',
        'n.requests',
        'n.writes',
        'n.ownPasses',
        'n.accountPasses',
        // The read's rows, only within the rate and with the scope.
        (read
          ? sql<
              string | null
            >`CASE WHEN ${eb.ref('n.ownPasses')} AND ${eb.ref('n.accountPasses')} AND ${p.scope}::text = ANY(${eb.ref('c.scopes')}) THEN ${eb.ref('c.accountId')} END`
          : sql<string | null>`NULL::text`
        ).as('accountId'),
      ]),
  );
  const query = read
    ? withRead(counted as unknown as QueryCreator<DB & CallerTable>, db, read, p)
    : counted.selectFrom('caller');
  return query.select([
    'caller.id as callerId',
    'caller.callerAccountId',
    'caller.memberId as callerMemberId',
    'caller.clientId as callerClientId',
    'caller.role as callerRole',
    'caller.permissions as callerPermissions',
    'caller.scopes as callerScopes',
    'caller.closed as callerClosed',
    'caller.allowanceId as callerAllowanceId',
    'caller.spaces as callerSpaces',
    'caller.requests',
    'caller.writes',
    'caller.ownPasses',
    'caller.accountPasses',
    sql`set_config('synchronous_commit', 'off', true)`.as('commit'),
  ]) as unknown as SelectQueryBuilder<DB, never, Row>;
}
