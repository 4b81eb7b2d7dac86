import { type AccountActor, hasPermission, type MemberActor, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';

const readSteps = prepared(
  'first-steps',
  (db, p: Params<{ accountId: string; given: string | null; memberId: string; now: Date }>) =>
    db
      .selectFrom('Member as m')
      .select((eb) => [
        'm.firstStepsHiddenAt as hiddenAt',
        eb
          .selectFrom('Space as s')
          .select('s.id')
          .whereRef('s.accountId', '=', 'm.accountId')
          .where('s.archivedAt', 'is', null)
          .where((on) => isReached(p.given, on.ref('s.id')))
          .orderBy('s.createdAt')
          .orderBy('s.id')
          .limit(1)
          .as('spaceId'),
        eb
          .exists(
            eb
              .selectFrom('Space as s')
              .innerJoin('Memory as i', 'i.spaceId', 's.id')
              .select('i.id')
              .whereRef('s.accountId', '=', 'm.accountId')
              .where('s.archivedAt', 'is', null)
              .where((on) => isReached(p.given, on.ref('s.id')))
              .where('i.importKey', 'is not', null)
              .where('i.deletedAt', 'is', null),
          )
          .as('imported'),
        eb
          .exists(
            eb
              .selectFrom('Generation as g')
              .select('g.id')
              .whereRef('g.accountId', '=', 'm.accountId')
              .where('g.kind', '=', 'IMAGE')
              .where('g.state', '=', 'COMPLETED'),
          )
          .as('image'),
        eb
          .exists(
            eb
              .selectFrom('OAuthGrant as o')
              .select('o.id')
              .whereRef('o.accountId', '=', 'm.accountId')
              .where('o.activatedAt', 'is not', null)
              .where('o.revokedAt', 'is', null)
              .where('o.expiresAt', '>', p.now),
          )
          .as('assistant'),
        eb
          .exists(
            eb
              .selectFrom('Member as other')
              .select('other.id')
              .whereRef('other.accountId', '=', 'm.accountId')
              .whereRef('other.id', '<>', 'm.id')
              .where((where) =>
                where.or([
                  where('other.status', '=', 'ACTIVE'),
                  where.and([
                    where('other.status', '=', 'INVITED'),
                    where('other.invitationEndsAt', '>', p.now),
                  ]),
                ]),
              ),
          )
          .as('colleague'),
      ])
      .where('m.id', '=', p.memberId)
      .where('m.accountId', '=', p.accountId),
);

export type FirstStep = 'space' | 'import' | 'image' | 'assistant' | 'colleague';

/** The permission that each step needs; connecting an assistant is for anyone who may read the Brain. */
const NEEDS: Record<FirstStep, Permission | null> = {
  space: 'brain.write',
  import: 'brain.write',
  image: 'generate',
  assistant: null,
  colleague: 'members.manage',
};

const STEPS = Object.keys(NEEDS) as FirstStep[];

/**
 * The first steps that remain among those this member may do, computed from the data; only hiding the list is stored. Null when it was hidden,
 * when all is done, or when the member may neither write, generate nor invite. `spaceId`: the Space to import into, when there is one. One
 * round trip, no read consumed.
 */
export async function getFirstSteps(
  ctx: Context<MemberActor>,
): Promise<{ steps: { step: FirstStep; done: boolean }[]; spaceId: string | null } | null> {
  const { accountId, memberId } = ctx.actor;
  const row = await readSteps.first(ctx.kysely, {
    accountId,
    memberId,
    now: ctx.clock.now(),
    given: givenSpaces(ctx.actor),
  });
  if (!row || row.hiddenAt !== null || !mayBegin(ctx.actor)) return null;
  const done: Record<FirstStep, boolean> = {
    space: row.spaceId !== null,
    import: Boolean(row.imported),
    image: Boolean(row.image),
    assistant: Boolean(row.assistant),
    colleague: Boolean(row.colleague),
  };
  // A member restricted to some Spaces cannot create one, and imports into one of those.
  const created = ctx.actor.spaces === undefined;
  const mine = STEPS.filter(
    (step) =>
      (NEEDS[step] === null || hasPermission(ctx.actor, NEEDS[step])) && (step !== 'space' || created),
  );
  if (mine.every((step) => done[step])) return null;
  return { steps: mine.map((step) => ({ step, done: done[step] })), spaceId: row.spaceId };
}

function mayBegin(actor: AccountActor): boolean {
  return STEPS.some((step) => NEEDS[step] !== null && hasPermission(actor, NEEDS[step]));
}
