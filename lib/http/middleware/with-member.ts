import {
  type AccountActor,
  type CredentialActor,
  hasPermission,
  type MemberActor,
  type Permission,
  type Scope,
} from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { accountClosed } from '#lib/identity/closing/closing-rules.ts';
import { enforceRate } from '#lib/identity/rate/rate-limit.ts';
import { DIALECTS, type HouseDialect } from '../responses/dialects.ts';
import type { RouteAnswer } from '../responses/route-answer.ts';
import {
  type DeclaredHandler,
  declared,
  type RouteDeclaration,
  type RouteInput,
} from '../routes/declaration.ts';
import { readAddress, readPayload } from '../routes/read-input.ts';
import { type Edge, runRoute } from '../routes/run-route.ts';
import { connection } from '../runtime/connection.ts';
import { serviceOrigin } from '../security/origin.ts';
import { isSameOrigin } from '../security/same-origin.ts';
import { memberOfCookie, requestCookie } from '../sessions/member-session.ts';
import { refuseOtherPage } from '../sessions/refuse-other-page.ts';
import { deliverSoon } from '../webhooks/deliver-soon.ts';
import {
  API_RESOURCE,
  authenticateCredential,
  bearerToken,
  missingCredential,
  missingScope,
} from './credentials.ts';
import { refusedReadPage } from './refused-read.ts';

type MemberRoute = RouteDeclaration & {
  dialect: HouseDialect;
  /** The right it takes; without it any signed-in member may. */
  permission?: Permission;
  /** The scope by which a key or a token of the member opens it too; without it, a session alone does. */
  scope?: Scope;
  /** Called when the declaration refuses the request: the verb, which would have recorded the refusal, is never called then. */
  onRefused?(actor: AccountActor, error: unknown): void | Promise<void>;
};

type Caller<D extends MemberRoute> = D extends { scope: Scope } ? AccountActor : MemberActor;

function commonErrors({ dialect, body, scope }: MemberRoute): ErrorCode[] {
  const { malformed, fault } = DIALECTS[dialect];
  // In a closed account, what changes something is refused.
  const closed: ErrorCode[] = body ? ['conflict'] : [];
  const ofKeys: ErrorCode[] = scope ? ['invalid_api_key', 'insufficient_scope', 'account_closed'] : [];
  return [
    ...(['unauthenticated', 'forbidden', 'rate_limited', malformed] as const),
    ...closed,
    ...ofKeys,
    ...(['unavailable', fault] as const),
  ];
}

/**
 * The edge of the routes that the cockpit calls. Checks, in this order: our own origin (except for reads), a live session, that the page was
 * drawn for it, the permission, the declared request. Refusals are in the house shape, or a page for a browser that followed a link. Where the
 * route names a scope, a bearer token replaces cookie and origin: its rate, its scope, then the same permission of its member.
 */
export function withMember<const D extends MemberRoute>(
  route: D,
  handle: (ctx: Context<Caller<D>>, input: RouteInput<D>) => Promise<RouteAnswer>,
): DeclaredHandler {
  const { permission = null, dialect, onRefused, scope, ...declaration } = route;
  const caller = { kind: 'member', permission, ...(scope ? { scope } : {}) } as const;
  return declared(
    { ...declaration, caller, dialect, commonErrors: commonErrors(route) },
    (request, context) =>
      runRoute(
        dialect,
        async (edge) => {
          const byKey = scope !== undefined && bearerToken(request) !== null;
          const actor = byKey ? await credentialOf(request, scope, edge) : await sessionOf(request, scope);
          if (permission && !hasPermission(actor, permission)) throw new ServiceError('forbidden');
          if (!isRead(request) && actor.closed) throw accountClosed();
          const read = async () => ({
            ...(await readAddress(route, request, context, dialect)),
            ...(await readPayload(route, request, dialect)),
          });
          const given = await read().catch(async (error: unknown) => {
            await onRefused?.(actor, error);
            throw error;
          });
          if (!isRead(request)) deliverSoon(actor.accountId);
          const ctx = { ...edge.ctx, actor } as Context<Caller<D>>;
          return handle(ctx, { ...given, request } as RouteInput<D>);
        },
        (error, requestId) =>
          bearerToken(request) === null ? refusedReadPage(request, error, requestId) : null,
      ),
  );
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD';

async function sessionOf(request: Request, scope: Scope | undefined): Promise<MemberActor> {
  if (!isRead(request) && !isSameOrigin(request))
    throw new ServiceError('forbidden', {
      message: 'Cette demande ne vient pas de la page d’Atelier.',
    });
  const member = await memberOfCookie(requestCookie(request), { isWrite: !isRead(request) });
  if (!member) throw nobody(request, scope);
  // Reads too: another account's list has no place in this page, and « not found » would wrongly say that something was deleted.
  refuseOtherPage(member, request.headers);
  return member.actor;
}

/**
 * The refusal of an unauthenticated request. Where a key also opens the route, it says how to send one and which scope it needs (RFC 9110,
 * 15.5.2).
 */
function nobody(request: Request, scope: Scope | undefined): ServiceError {
  if (scope === undefined) return new ServiceError('unauthenticated');
  const resource = { ...API_RESOURCE, scopes: [scope] };
  return missingCredential(request, serviceOrigin(request), resource, 'unauthenticated');
}

async function credentialOf(
  request: Request,
  scope: Scope,
  { ctx, headers }: Edge,
): Promise<CredentialActor> {
  const isWrite = !isRead(request);
  const origin = serviceOrigin(request);
  const { actor, rate } = await authenticateCredential(
    { ...connection(), clock: ctx.clock, accountRequests: env().SERVICE_ACCOUNT_RATE },
    request,
    { isWrite, resource: API_RESOURCE, origin },
  );
  enforceRate(rate, isWrite, headers);
  if (!actor.scopes.includes(scope)) throw missingScope(actor, scope, origin, API_RESOURCE);
  return actor;
}
