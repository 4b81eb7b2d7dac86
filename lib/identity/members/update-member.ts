import { type RawBuilder, sql } from 'kysely';
import {
  type AccountActor,
  type AdminActor,
  GRANTABLE_PERMISSIONS,
  hasPermission,
  type MemberRole,
  type Permission,
} from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { changedMeanwhile } from '#lib/core/input/as-shown.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import type { MemberStatus } from '#lib/db/generated/tables.ts';
import { isReached, type SpaceRights } from '#lib/db/space-rights.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { json } from '#lib/db/values.ts';
import { nameSpaces, requireGivable, sameSpaces, spacesColumn } from '../given-spaces.ts';
import { INVITATION_LIFETIME_MS } from '../invitations/invitation-rules.ts';
import { notifyOfFounder, type Post } from '../notices/mail-notices.ts';
import { endSessions } from '../sessions/revoke-session.ts';
import { editedState } from './edited-state.ts';
import { memberProblems } from './member-problems.ts';

export type Ctx = Context<AccountActor | AdminActor>;
export type Target = { accountId: string; memberId: string };

/**
 * Locks the row of the account, so that changes to its members wait for each other. Returns its active founders. Errors: `forbidden` for an
 * actor who is none of them: of another account, or demoted or suspended while waiting.
 */
export async function lockFounders(
  tx: Transaction,
  { actor }: Pick<Context, 'actor'>,
  accountId: string,
): Promise<string[]> {
  await tx.selectFrom('Account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const rows = await tx
    .selectFrom('Member')
    .select('id')
    .where('accountId', '=', accountId)
    .where('role', '=', 'FOUNDER')
    .where('status', '=', 'ACTIVE')
    .execute();
  const founders = rows.map(({ id }) => id);
  if ('memberId' in actor && !founders.includes(actor.memberId)) throw new ServiceError('forbidden');
  return founders;
}

/**
 * The member, under the row of the account: two founders cannot remove each other at once. `removed`: also one who was removed already.
 * Errors: `forbidden`, `not_found`.
 */
export async function lockMembers(
  tx: Transaction,
  ctx: Ctx,
  target: Target,
  options: { removed?: boolean } = {},
) {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  const founders = await lockFounders(tx, ctx, target.accountId);
  const member = await tx
    .selectFrom('Member')
    .selectAll()
    .where('id', '=', target.memberId)
    .where('accountId', '=', target.accountId)
    .executeTakeFirst();
  if (!member || (member.status === 'REMOVED' && !options.removed)) throw memberNotFound();
  const others = founders.filter((id) => id !== target.memberId).length;
  return { member, isLastFounder: member.role === 'FOUNDER' && member.status === 'ACTIVE' && others === 0 };
}

/** Deletes the deliveries, sent or waiting, of the member’s endpoints about objects that the member can no longer reach. */
async function deleteDeliveries(
  tx: Transaction,
  memberId: string,
  about: readonly RawBuilder<boolean>[],
): Promise<void> {
  if (about.length === 0) return;
  // Locked before their deliveries, in the same order as delivering events and stopping an endpoint.
  await tx
    .selectFrom('WebhookEndpoint')
    .select('id')
    .where('createdById', '=', memberId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  await tx
    .deleteFrom('WebhookDelivery as d')
    .using('WebhookEndpoint as e')
    .whereRef('e.id', '=', 'd.endpointId')
    .where('e.createdById', '=', memberId)
    .where((eb) => eb.or([...about]))
    .execute();
}

/** Whether a delivery is about a Space that is not among these. */
const isOutOfReach = (spaces: SpaceRights) =>
  sql<boolean>`(d.data ->> 'spaceId' is not null and not ${isReached(json(spaces), sql`d.data ->> 'spaceId'`)})`;

/** Who declines takes no lock on the account: a declined invitation stays so. Errors: `not_found`. */
async function setStatus(tx: Transaction, memberId: string, status: MemberStatus, now: Date) {
  const { numUpdatedRows } = await tx
    .updateTable('Member')
    .set({ status, updatedAt: now })
    .where('id', '=', memberId)
    .where('status', '<>', 'REMOVED')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw memberNotFound();
}

const memberNotFound = () =>
  new ServiceError('not_found', { message: 'Ce membre est introuvable dans ce compte.' });

export const LAST_FOUNDER =
  'C’est le dernier fondateur actif du compte\u00a0: donnez d’abord ce rôle à quelqu’un d’autre. Rien n’a changé.';

/**
 * Changes a member's name, role, rights and Spaces; effective at their next request. Errors: `forbidden`, `not_found`, `invalid_request`
 * naming the field, `verification_required` for other rights, `conflict` for the last active founder, or when the member is no longer as
 * `opened` says or is renamed meanwhile. `post` tells the founders of a new one by mail.
 */
export async function updateMember(
  ctx: Ctx,
  input: Target & {
    name: string;
    role: MemberRole;
    permissions: readonly Permission[];
    /** The Spaces given to a member, null for all; a founder has all whatever is given. Absent: as before. */
    spaces?: SpaceRights | null | undefined;
    /** The `editedState` when the form was opened; absent: not compared. */
    opened?: string | undefined;
  },
  post?: Post,
): Promise<void> {
  const name = input.name.trim();
  const problems = memberProblems(input);
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const permissions = GRANTABLE_PERMISSIONS.filter((permission) => input.permissions.includes(permission));
  const isNewFounder = await transaction(ctx, async (tx) => {
    const { member, isLastFounder } = await lockMembers(tx, ctx, input);
    if (isLastFounder && input.role !== 'FOUNDER')
      throw new ServiceError('conflict', {
        message: LAST_FOUNDER,
        problems: [{ field: 'role', message: LAST_FOUNDER }],
      });
    const before = member.spaceRights as SpaceRights | null;
    const spaces = input.spaces === undefined ? before : input.spaces;
    const changesSpaces = !sameSpaces(before, spaces);
    const named = changesSpaces ? await requireGivable(tx, ctx, { ...input, spaces }) : null;
    const sameRights =
      !changesSpaces &&
      member.role === input.role &&
      member.permissions.length === permissions.length &&
      permissions.every((permission) => member.permissions.includes(permission));
    if (sameRights && member.name === name) return false;
    // Compared only when something changes: an identical change is no conflict, the answer to the first save was lost.
    if (input.opened !== undefined && input.opened !== editedState({ ...member, spaces: before }))
      throw changedMeanwhile('Ce membre a été modifié');
    if (!sameRights) requireRecentVerification(ctx);
    // Neither accepting an invitation nor renaming oneself takes a lock on the account: the row may have changed since it was read.
    const written = await tx
      .updateTable('Member')
      .set({
        name,
        role: input.role,
        permissions,
        spaceRights: spacesColumn(spaces),
        updatedAt: ctx.clock.now(),
      })
      .where('id', '=', member.id)
      .where('name', '=', member.name)
      .where('status', '<>', 'REMOVED')
      .returning('status')
      .executeTakeFirst();
    if (!written) throw changedMeanwhile('Ce membre a été modifié');
    // A founder has all Spaces whatever is stored; a former founder gets what was stored.
    const had = member.role === 'FOUNDER' ? null : before;
    const losesSpaces = input.role !== 'FOUNDER' && spaces !== null && !sameSpaces(had, spaces);
    const losesRights = input.role !== 'FOUNDER' && !sameRights;
    await deleteDeliveries(tx, member.id, [
      ...(losesSpaces ? [isOutOfReach(spaces)] : []),
      ...(losesRights ? [sql<boolean>`not may_be_told(d.type, ${input.role}, ${permissions})`] : []),
    ]);
    await recordAudits(tx, ctx, [
      {
        action: 'member.updated',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: {
          before: {
            role: member.role,
            permissions: member.permissions,
            ...(changesSpaces ? { spaces: await nameSpaces(tx, { ...input, spaces: before }) } : {}),
          },
          after: { role: input.role, permissions, ...(changesSpaces ? { spaces: named } : {}) },
        },
      },
    ]);
    return written.status === 'ACTIVE' && member.role !== 'FOUNDER' && input.role === 'FOUNDER';
  });
  if (isNewFounder) await notifyOfFounder(ctx.kysely, post, input);
}

/**
 * Suspends a member: their sessions end, their keys and applications are refused at the next request and work again after a
 * reactivation. Suspending twice is harmless. Errors: `forbidden`, `not_found`, `conflict` for oneself or the last active founder.
 */
export async function suspendMember(ctx: Ctx, input: Target): Promise<void> {
  if ('memberId' in ctx.actor && ctx.actor.memberId === input.memberId)
    throw new ServiceError('conflict', {
      message: 'Vous ne pouvez pas vous suspendre vous-même\u00a0: demandez-le à un autre fondateur.',
    });
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const { member, isLastFounder } = await lockMembers(tx, ctx, input);
    if (isLastFounder) throw new ServiceError('conflict', { message: LAST_FOUNDER });
    if (member.status === 'SUSPENDED') return;
    await setStatus(tx, member.id, 'SUSPENDED', now);
    const sessionsEnded = await endSessions(tx, { memberId: member.id, now });
    await recordAudits(tx, ctx, [
      {
        action: 'member.suspended',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: { sessionsEnded },
      },
    ]);
  });
}

/**
 * Reactivates a suspended member; one who never signed in becomes invited again. Harmless when they are not suspended. Errors: `forbidden`,
 * `not_found`, `verification_required` for a founder. `post` tells the founders by mail of a founder who is back.
 */
export async function reactivateMember(ctx: Ctx, input: Target, post?: Post): Promise<void> {
  const isFounderAgain = await transaction(ctx, async (tx) => {
    const { member } = await lockMembers(tx, ctx, input);
    if (member.status !== 'SUSPENDED') return false;
    if (member.role === 'FOUNDER') requireRecentVerification(ctx);
    const status = member.personId === null ? 'INVITED' : 'ACTIVE';
    const now = ctx.clock.now();
    await setStatus(tx, member.id, status, now);
    if (status === 'INVITED')
      await tx
        .updateTable('Member')
        .set({ invitationEndsAt: new Date(now.getTime() + INVITATION_LIFETIME_MS) })
        .where('id', '=', member.id)
        .execute();
    await recordAudits(tx, ctx, [
      {
        action: 'member.reactivated',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: { status },
      },
    ]);
    return status === 'ACTIVE' && member.role === 'FOUNDER';
  });
  if (isFounderAgain) await notifyOfFounder(ctx.kysely, post, input);
}
