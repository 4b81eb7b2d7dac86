import type { SystemActor, SystemJob } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { readBytes } from '../requests/read-body.ts';
import type { RouteAnswer } from '../responses/route-answer.ts';
import {
  type DeclaredHandler,
  declared,
  type RouteDeclaration,
  type RouteInput,
} from '../routes/declaration.ts';
import { readAddress } from '../routes/read-input.ts';
import { runRoute } from '../routes/run-route.ts';

type CallbackRoute = RouteDeclaration & {
  /** The scheme of the signature, for the documents. The verb verifies it: only it knows the secret of its row. */
  signature: string;
  /** Name of the actor in the audit. */
  job: SystemJob;
  body: NonNullable<RouteDeclaration['body']>;
};

/**
 * The edge of what outside services call: the body as the bytes that were signed, counted on the stream. The verb judges the
 * signature before it believes any of it.
 */
export function withCallback<D extends CallbackRoute>(
  route: D,
  handle: (
    ctx: Context<SystemActor>,
    input: Pick<RouteInput<D>, 'path' | 'request'> & { rawBody: Uint8Array },
  ) => Promise<RouteAnswer>,
): DeclaredHandler {
  const { signature, job, ...declaration } = route;
  return declared(
    {
      ...declaration,
      caller: { kind: 'callback', signature },
      dialect: 'studio',
      commonErrors: ['unauthenticated', 'payload_too_large', 'unavailable', 'internal-error'],
    },
    (request, context) =>
      runRoute('studio', async ({ ctx }) => {
        const { path } = await readAddress(route, request, context, 'studio');
        const rawBody = await readBytes(request, route.body.maxBytes);
        return handle({ ...ctx, actor: { type: 'system', job } }, { path, request, rawBody });
      }),
  );
}
