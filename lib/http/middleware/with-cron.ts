import type { SystemActor, SystemJob } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { equalInConstantTime } from '#lib/core/crypto.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { DIALECTS } from '../responses/dialects.ts';
import { type DeclaredHandler, declared, type RouteDeclaration } from '../routes/declaration.ts';
import { type Address, readAddress } from '../routes/read-input.ts';
import { runRoute } from '../routes/run-route.ts';
import { bearerToken } from './credentials.ts';

/** A lock held longer belongs to something that hangs: this work is left to the next pass, and the rest goes on. */
const LOCK_WAIT_MS = 10_000;

type CronRoute = RouteDeclaration & { job: SystemJob };

/**
 * The edge of the scheduled jobs: `Authorization: Bearer <CRON_SECRET>`, compared in constant time. Without a configured
 * secret everything is refused; HEAD is told whether the secret is the right one, and runs nothing. Their transactions wait ten seconds for a lock at most. A
 * refusal is logged as `cron.rejected` (S-104).
 */
export function withCron<const D extends CronRoute>(
  route: D,
  run: (ctx: Context<SystemActor>, address: Address<D>) => Promise<unknown>,
): DeclaredHandler {
  const { job, ...declaration } = route;
  const { malformed } = DIALECTS.studio;
  return declared(
    {
      ...declaration,
      caller: { kind: 'scheduler' },
      dialect: 'studio',
      commonErrors: [
        'unauthenticated',
        ...(route.query ? ([malformed] as const) : []),
        ...(['unavailable', 'internal-error'] as const),
      ],
    },
    (request, context) =>
      runRoute('studio', async ({ ctx }) => {
        const secret = env().CRON_SECRET;
        const token = bearerToken(request);
        if (!secret || token === null || !equalInConstantTime(token, secret)) {
          const reason = secret ? 'secret' : 'not-configured';
          ctx.log.warn('cron.rejected', { job, requestId: ctx.requestId, reason });
          throw new ServiceError('unauthenticated', {
            message: 'Cette tâche demande le secret du planificateur.',
          });
        }
        // Next calls GET for HEAD: whoever asks for headers alone asks for no work.
        if (request.method === 'HEAD') return { status: 200, body: null };
        const address = await readAddress(route, request, context, 'studio');
        const actor: SystemActor = { type: 'system', job };
        return { body: await run({ ...ctx, actor, lockWaitMs: LOCK_WAIT_MS }, address) };
      }),
  );
}
