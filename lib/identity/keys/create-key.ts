import { type Actor, SCOPES, type Scope } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { nameFault } from '#lib/core/input/name-fault.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import { allowanceProblem, openAllowance } from '#lib/ledger/allowances.ts';
import { requireGivable, spacesColumn } from '../given-spaces.ts';
import { notifyOfCredential, type Post } from '../notices/mail-notices.ts';
import {
  DEFAULT_KEY_SCOPES,
  KEY_LIFETIMES_DAYS,
  type KeyLifetimeDays,
  newDeveloperKey,
} from './developer-keys.ts';
import { enforceKeyLimit, lockMemberKeys } from './key-limit.ts';
import { requireOwnSecret } from './key-reach.ts';

const DAY_MS = 86_400_000;

type CreateKeyInput = {
  accountId: string;
  memberId: string;
  name: string;
  /** Default: brain:read and projects:read. */
  scopes?: readonly Scope[];
  /** 30, 90 or 365 days, or null for never. */
  expiresInDays: KeyLifetimeDays;
  /** What it may spend in a UTC month, settled plus held: given with `studio:generate`, and only then. */
  monthlyCapMicros?: Micros | null | undefined;
  /** The Spaces that it opens, and the key that replaces it; null or absent: all of its member's. */
  spaces?: SpaceRights | null | undefined;
};

export type CreatedKey = {
  id: string;
  secret: string;
  prefix: string;
  name: string;
  scopes: Scope[];
  expiresAt: Date | null;
  /** null: it does not spend. */
  monthlyCapMicros: Micros | null;
};

/**
 * Creates a developer key of the member who acts, or from the shell of any member. The secret is in this answer and nowhere else;
 * `post` tells the member by mail.
 * Errors: `invalid_request` naming the field, `not_found` for a member of another account, `forbidden` once the session has ended,
 * `verification_required`, `conflict` for anybody else's key, and (`too-many-keys`) when the member has as many living keys as may be.
 */
export async function createKey(
  ctx: Context<Actor>,
  input: CreateKeyInput,
  post?: Post,
): Promise<CreatedKey> {
  requireOwnSecret(ctx.actor, input);
  const name = input.name.trim();
  const scopes = [...new Set(input.scopes ?? DEFAULT_KEY_SCOPES)];
  const problems = [];
  const message = nameFault(name, 80);
  if (message) problems.push({ field: 'name', message });
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope)))
    problems.push({ field: 'scopes', message: `Cochez au moins un droit parmi ${SCOPES.join(', ')}.` });
  if (!KEY_LIFETIMES_DAYS.includes(input.expiresInDays))
    problems.push({ field: 'expiresInDays', message: 'La durée est de 30, 90 ou 365 jours, ou sans fin.' });
  const capProblem = keyCapProblem(scopes, input.monthlyCapMicros);
  if (capProblem) problems.push({ field: 'monthlyCapMicros', message: capProblem });
  if (problems.length > 0)
    throw new ServiceError('invalid_request', { message: problems[0]?.message, problems });

  requireRecentVerification(ctx);
  const key = newDeveloperKey();
  const now = ctx.clock.now();
  const monthlyCapMicros = input.monthlyCapMicros ?? null;
  const id = createId('developerKey', now);
  const expiresAt =
    input.expiresInDays === null ? null : new Date(now.getTime() + input.expiresInDays * DAY_MS);
  await transaction(ctx, async (tx) => {
    const { memberId } = input;
    const isKnown = await lockMemberKeys(tx, input);
    if (!isKnown) throw new ServiceError('not_found');
    // Whoever ends everything at once waits for this member too, or has ended the session.
    if (ctx.actor.type === 'member') await withCurrentRights({ ...ctx, actor: ctx.actor, kysely: tx });
    await enforceKeyLimit(tx, { memberId, now });
    const allowanceId =
      monthlyCapMicros === null
        ? null
        : await openAllowance(tx, ctx, { accountId: input.accountId, memberId, monthlyCapMicros });
    const spaces = input.spaces ?? null;
    const named = await requireGivable(tx, ctx, { accountId: input.accountId, spaces });
    await tx
      .insertInto('DeveloperKey')
      .values({
        id,
        accountId: input.accountId,
        memberId: input.memberId,
        name,
        prefix: key.prefix,
        tokenHash: key.tokenHash,
        scopes,
        createdAt: now,
        expiresAt,
        allowanceId,
        spaceRights: spacesColumn(spaces),
      })
      .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'key.created',
        accountId: input.accountId,
        subject: { type: 'developerKey', id },
        data: {
          name,
          scopes,
          expiresAt: expiresAt?.toISOString() ?? null,
          memberId: input.memberId,
          monthlyCapMicros: monthlyCapMicros?.toString() ?? null,
          ...(named === null ? {} : { spaces: named }),
        },
      },
    ]);
  });
  await notifyOfCredential(ctx.kysely, post, { memberId: input.memberId, kind: 'key', name });
  return { id, secret: key.secret, prefix: key.prefix, name, scopes, expiresAt, monthlyCapMicros };
}

function keyCapProblem(scopes: readonly Scope[], cap: Micros | null | undefined): string | null {
  if (!scopes.includes('studio:generate'))
    return cap == null ? null : 'Un plafond va avec le droit de demander des générations.';
  if (cap == null) return 'Une clé qui demande des générations a un plafond par mois\u00a0: donnez-le.';
  return allowanceProblem(cap);
}
