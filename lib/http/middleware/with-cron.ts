import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { equalInConstantTime } from '#lib/core/crypto.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { baseHeaders, errorResponse, jsonResponse, toServiceError } from '../responses/respond.ts';
import { createContext } from '../runtime/context.ts';
import { bearerToken } from './credentials.ts';

/**
 * The edge of the scheduled jobs: `Authorization: Bearer <CRON_SECRET>`, compared in constant time. Without a configured
 * secret everything is refused. A refusal is logged as `cron.rejected` (S-104).
 */
export function withCron(job: string, run: (ctx: Context<SystemActor>) => Promise<unknown>) {
  return async (request: Request): Promise<Response> => {
    const requestId = createId('request');
    const headers = baseHeaders(requestId);
    const ctx = createContext({ type: 'system' as const, job }, requestId);
    try {
      const secret = env().CRON_SECRET;
      const token = bearerToken(request);
      if (!secret || token === null || !equalInConstantTime(token, secret)) {
        ctx.log.warn('cron.rejected', { job, requestId, reason: secret ? 'secret' : 'not-configured' });
        throw new ServiceError('unauthenticated', {
          message: 'Cette tâche demande le secret du planificateur.',
        });
      }
      return jsonResponse(200, await run(ctx), headers);
    } catch (thrown) {
      return errorResponse(toServiceError(thrown, ctx.log, requestId), headers);
    }
  };
}
