import { sql } from 'kysely';
import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import type { Params } from '#lib/db/prepared.ts';
import type { Transaction } from '#lib/db/types.ts';
import { isRaised } from './caps.ts';
import { usedIn } from './lines.ts';

/** What an application may spend in a month when the member who lets it in says nothing else: 5 $US. */
export const DEFAULT_ALLOWANCE_MICROS: Micros = 5_000_000n;
const MAX_CAP_MICROS: Micros = 1_000_000_000_000n;

/** What is wrong with a credential's monthly cap, in words; null when nothing is. 0 lets nothing through. */
export function allowanceProblem(monthlyCapMicros: Micros): string | null {
  if (monthlyCapMicros >= 0n && monthlyCapMicros <= MAX_CAP_MICROS) return null;
  return 'Le plafond du mois va de 0 à 1\u00a0000\u00a0000\u00a0$US.';
}

/**
 * The allowance that a reserve of this actor is charged to: null for a session, and an identifier that matches nothing for a credential
 * without one, which may spend nothing.
 */
export function allowanceOf(actor: Actor): string | null {
  return actor.type === 'key' || actor.type === 'oauth' ? (actor.allowanceId ?? '') : null;
}

/**
 * Creates the allowance of a new key, or returns that of an application for this member: all its grants share one, whose cap is replaced and
 * whose monthly spending is kept. Returns its identifier. For the transaction that makes the credential.
 */
export async function openAllowance(
  tx: Transaction,
  ctx: Pick<Context, 'clock'>,
  input: { accountId: string; memberId: string; clientId?: string; monthlyCapMicros: Micros },
): Promise<string> {
  const at = ctx.clock.now();
  const { id } = await tx
    .insertInto('CredentialAllowance')
    .values({ ...input, id: createId('allowance', at), createdAt: at, updatedAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['memberId', 'clientId'])
        .doUpdateSet({ monthlyCapMicros: input.monthlyCapMicros, updatedAt: at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Sets the cap of an allowance of the account; no key nor application sets one, its own least of all. Errors: `forbidden`, `invalid_request`, `not_found`,
 * `conflict` when it is no longer as `shown`, `verification_required` when it is raised.
 */
export async function setCredentialCap(
  tx: Transaction,
  ctx: Context,
  input: { allowanceId: string; accountId: string; monthlyCapMicros: Micros; shown?: Shown | undefined },
): Promise<void> {
  const { allowanceId, accountId, monthlyCapMicros } = input;
  if (ctx.actor.type !== 'member' && ctx.actor.type !== 'admin') throw new ServiceError('forbidden');
  const message = allowanceProblem(monthlyCapMicros);
  if (message)
    throw new ServiceError('invalid_request', {
      message,
      problems: [{ field: 'monthlyCapMicros', message }],
    });
  const before = await tx
    .selectFrom('CredentialAllowance')
    .select('monthlyCapMicros')
    .where('id', '=', allowanceId)
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) throw new ServiceError('not_found');
  requireAsShown(input.shown, {
    monthlyCapMicros: {
      what: 'Ce plafond a été changé',
      now: before.monthlyCapMicros,
      next: monthlyCapMicros,
    },
  });
  if (isRaised(before.monthlyCapMicros, monthlyCapMicros)) requireRecentVerification(ctx);
  await tx
    .updateTable('CredentialAllowance')
    .set({ monthlyCapMicros, updatedAt: ctx.clock.now() })
    .where('id', '=', allowanceId)
    .execute();
}

/**
 * Columns of a statement that left joins the allowance as `allowance`: the caller's cap, and what counts against it. A credential without an
 * allowance may spend nothing.
 */
export function allowanceColumns(p: Params<{ month: string; allowanceId: string | null }>) {
  const cap = sql.ref('allowance.monthlyCapMicros');
  return [
    sql<bigint | null>`case when ${p.allowanceId}::text is null then null else coalesce(${cap}, 0) end`.as(
      'credentialCapMicros',
    ),
    sql<bigint>`coalesce(${usedIn(p.month, 'allowance')}, 0)`.as('credentialUsedMicros'),
  ] as const;
}
