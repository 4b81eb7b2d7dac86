import {
  type CredentialActor,
  hasPermission,
  isWritingScope,
  type Permission,
  type Scope,
} from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { type ErrorCode, ServiceError } from '#lib/core/errors.ts';
import type { AccountRead } from '#lib/db/account-read.ts';
import { enforceRate } from '#lib/identity/rate/rate-limit.ts';
import { refuseGarbledQuery } from '../requests/query-object.ts';
import { DIALECTS, type HouseDialect } from '../responses/dialects.ts';
import type { RouteAnswer } from '../responses/route-answer.ts';
import {
  type DeclaredHandler,
  declared,
  type RouteContext,
  type RouteDeclaration,
  type RouteInput,
} from '../routes/declaration.ts';
import { type Address, readAddress, readPayload } from '../routes/read-input.ts';
import { runRoute } from '../routes/run-route.ts';
import { connection } from '../runtime/connection.ts';
import { serviceOrigin } from '../security/origin.ts';
import { deliverSoon } from '../webhooks/deliver-soon.ts';
import { API_RESOURCE, authenticateCredential, missingScope } from './credentials.ts';

type CredentialRoute = RouteDeclaration & {
  scope: Scope;
  /** The right that its member must have besides; without it any member's credential may. */
  permission?: Permission;
  /** The Studio's twins refuse in the Studio's words; the Brain's by default. */
  dialect?: HouseDialect;
  /** Counted in the lower limit of writes. */
  isWrite?: boolean;
  /** Called when the declaration refuses the body: the verb, which would have recorded the refusal, is never called then. */
  onRefused?(actor: CredentialActor, error: unknown): void | Promise<void>;
};

type CredentialHandlers<D extends CredentialRoute, R> = {
  /** The read that the request is for, made in the statement that authenticates its caller: one round trip in all. */
  read?(now: Date, input: Address<D> & { request: Request }): AccountRead<R>;
  handle(
    ctx: Context<CredentialActor>,
    /** `read`: what `read` read. */
    input: RouteInput<D> & { read: R },
  ): Promise<RouteAnswer> | RouteAnswer;
};

function commonErrors({ scope, permission }: CredentialRoute, dialect: HouseDialect): ErrorCode[] {
  const { malformed, fault } = DIALECTS[dialect];
  return [
    ...([malformed, 'invalid_api_key', 'insufficient_scope', 'rate_limited', fault, 'unavailable'] as const),
    ...(permission ? (['forbidden'] as const) : []),
    ...(isWritingScope(scope) ? (['account_closed'] as const) : []),
  ];
}

/**
 * The edge of every `/api/v1` route: authenticates, counts the rate, checks the scope and its member's right, validates, calls the verb and
 * writes the answer. Refusals come in that order, each in the house shape (B-107).
 */
export function withCredential<D extends CredentialRoute, R = undefined>(
  route: D,
  { read, handle }: CredentialHandlers<D, R>,
): DeclaredHandler {
  const { scope, isWrite = false, permission, dialect = 'brain', onRefused, ...declaration } = route;
  const caller = { kind: 'credential', scope, isWrite } as const;
  return declared(
    { ...declaration, caller, dialect, commonErrors: commonErrors(route, dialect) },
    (request, context) =>
      runRoute(dialect, async ({ ctx, headers }) => {
        const origin = serviceOrigin(request);
        // The address is parsed before authentication, whose statement uses it; a fault in it is reported only afterwards.
        const address = await settled(readProgramAddress(route, request, context, dialect));
        const early =
          read && address.ok
            ? { scope, read: read(ctx.clock.now(), { ...address.value, request }) }
            : undefined;
        const { actor, rate, answer } = await authenticateCredential<R>(
          { ...connection(), clock: ctx.clock, accountRequests: env().SERVICE_ACCOUNT_RATE },
          request,
          { isWrite, resource: API_RESOURCE, origin, read: early },
        );
        enforceRate(rate, isWrite, headers);
        if (!actor.scopes.includes(scope)) throw missingScope(actor, scope, origin, API_RESOURCE);
        if (permission && !hasPermission(actor, permission)) throw new ServiceError('forbidden');
        if (!address.ok) throw address.error;
        const payload = await readPayload(route, request, dialect).catch(async (error: unknown) => {
          await onRefused?.(actor, error);
          throw error;
        });
        const input = {
          ...address.value,
          ...payload,
          request,
          read: (early ? answer() : undefined) as R,
        } as RouteInput<D> & { read: R };
        if (isWrite) deliverSoon(actor.accountId);
        return handle({ ...ctx, actor }, input);
      }),
  );
}

/** As `readAddress`; programs encode their addresses themselves, and may do so in another encoding than UTF-8. */
async function readProgramAddress<D extends RouteDeclaration>(
  declaration: D,
  request: Request,
  context: RouteContext | undefined,
  dialect: HouseDialect,
): Promise<Address<D>> {
  refuseGarbledQuery(new URL(request.url), DIALECTS[dialect].malformed);
  return readAddress(declaration, request, context, dialect);
}

type Settled<T> = { ok: true; value: T } | { ok: false; error: unknown };

function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ ok: true as const, value }),
    (error: unknown) => ({ ok: false as const, error }),
  );
}
