import { hasPermission, type MemberActor, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import { accountClosed } from '#lib/identity/closing/closing-rules.ts';
import { DIALECTS, type HouseDialect } from '../responses/dialects.ts';
import type { RouteAnswer } from '../responses/route-answer.ts';
import {
  type DeclaredHandler,
  declared,
  type RouteDeclaration,
  type RouteInput,
} from '../routes/declaration.ts';
import { readAddress, readPayload } from '../routes/read-input.ts';
import { runRoute } from '../routes/run-route.ts';
import { isSameOrigin } from '../security/same-origin.ts';
import { memberOfCookie, requestCookie } from '../sessions/member-session.ts';
import { deliverSoon } from '../webhooks/deliver-soon.ts';

export type MemberRoute = RouteDeclaration & {
  dialect: HouseDialect;
  /** The right it takes; without it any signed-in member may. */
  permission?: Permission;
  /** Told of a request that its declaration refused: the verb, which would have told it, is never called. */
  onRefused?(actor: MemberActor, error: unknown): void | Promise<void>;
};

function commonErrors({ dialect, body }: MemberRoute): ErrorCode[] {
  const { malformed, fault } = DIALECTS[dialect];
  // In a closed account, what changes something is refused.
  const closed: ErrorCode[] = body ? ['conflict'] : [];
  return ['unauthenticated', 'forbidden', 'rate_limited', malformed, ...closed, 'unavailable', fault];
}

/**
 * The edge of the routes that the cockpit calls: a live session, our own origin for anything but a read, the permission, then the
 * request as it is declared. Refusals come in that order, each in the house shape.
 */
export function withMember<D extends MemberRoute>(
  route: D,
  handle: (ctx: Context<MemberActor>, input: RouteInput<D>) => Promise<RouteAnswer>,
): DeclaredHandler {
  const { permission = null, dialect, onRefused, ...declaration } = route;
  const caller = { kind: 'member', permission } as const;
  return declared(
    { ...declaration, caller, dialect, commonErrors: commonErrors(route) },
    (request, context) =>
      runRoute(dialect, async ({ ctx }) => {
        const isRead = request.method === 'GET' || request.method === 'HEAD';
        if (!isRead && !isSameOrigin(request))
          throw new ServiceError('forbidden', {
            message: 'Cette demande ne vient pas de la page d’Atelier.',
          });
        const member = await memberOfCookie(requestCookie(request), { isWrite: !isRead });
        if (!member) throw new ServiceError('unauthenticated');
        if (permission && !hasPermission(member.actor, permission)) throw new ServiceError('forbidden');
        if (!isRead && member.actor.closed) throw accountClosed();
        const read = async () => ({
          ...(await readAddress(route, request, context, dialect)),
          ...(await readPayload(route, request, dialect)),
        });
        const given = await read().catch(async (error: unknown) => {
          await onRefused?.(member.actor, error);
          throw error;
        });
        if (!isRead) deliverSoon(member.actor.accountId);
        return handle({ ...ctx, actor: member.actor }, { ...given, request } as RouteInput<D>);
      }),
  );
}
