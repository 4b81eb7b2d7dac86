import type { AnonymousActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { DIALECTS, type HouseDialect } from '../responses/dialects.ts';
import type { RouteAnswer } from '../responses/route-answer.ts';
import { type DeclaredHandler, declared, type RouteDeclaration } from '../routes/declaration.ts';
import { runRoute } from '../routes/run-route.ts';

type PublicRoute = RouteDeclaration & { dialect: HouseDialect };

/** A route that anyone may call: no session, key or token is read. */
export function publicRoute(
  { dialect, ...declaration }: PublicRoute,
  handle: (ctx: Context<AnonymousActor>, input: { request: Request }) => Promise<RouteAnswer>,
): DeclaredHandler {
  return declared(
    {
      ...declaration,
      caller: { kind: 'anyone' },
      dialect,
      commonErrors: ['unavailable', DIALECTS[dialect].fault],
    },
    (request) => runRoute(dialect, ({ ctx }) => handle(ctx, { request })),
  );
}
