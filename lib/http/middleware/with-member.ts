import type { MemberActor, Permission } from '#lib/core/actor.ts';
import { hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { pathValues } from '../requests/path-values.ts';
import { baseHeaders, errorResponse, jsonResponse, toServiceError } from '../responses/respond.ts';
import { createContext } from '../runtime/context.ts';
import { isSameOrigin } from '../security/same-origin.ts';
import { memberOfCookie, requestCookie } from './member-session.ts';

type RouteContext = { params: Promise<Record<string, string>> };

export type MemberAnswer = { status?: number; body: unknown; headers?: Record<string, string> } | Response;

export type MemberRoute = {
  permission?: Permission;
  /** What an unforeseen fault answers; the studio has a code of its own (S-145). */
  faultCode?: 'internal_error' | 'internal-error';
  handle(
    ctx: Context<MemberActor>,
    input: { path: Record<string, string>; request: Request },
  ): Promise<MemberAnswer>;
};

/**
 * The edge of the routes that the cockpit calls: a live session, our own origin for anything but a read, the permission.
 * Refusals: `unauthenticated` 401, `forbidden` 403, each in the house shape.
 */
export function withMember(route: MemberRoute) {
  return async (request: Request, routeContext: RouteContext): Promise<Response> => {
    const requestId = createId('request');
    const headers = baseHeaders(requestId);
    const anonymous = createContext({ type: 'anonymous' }, requestId);
    try {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead && !isSameOrigin(request))
        throw new ServiceError('forbidden', { message: 'Cette demande ne vient pas de la page d’Atelier.' });
      const member = await memberOfCookie(requestCookie(request));
      if (!member) throw new ServiceError('unauthenticated');
      if (route.permission && !hasPermission(member.actor, route.permission))
        throw new ServiceError('forbidden');
      const answer = await route.handle(
        { ...anonymous, actor: member.actor },
        { path: await pathValues(routeContext.params), request },
      );
      if (answer instanceof Response) return answer;
      for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
      return jsonResponse(answer.status ?? 200, answer.body, headers);
    } catch (thrown) {
      return errorResponse(toServiceError(thrown, anonymous.log, requestId, route.faultCode), headers);
    }
  };
}
