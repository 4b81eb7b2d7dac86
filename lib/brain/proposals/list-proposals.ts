import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import type { PillarRole, SpaceTemplate } from '../templates.ts';

/** Proposals of one page. */
export const PROPOSALS_A_PAGE = 30;

export type WaitingProposal = {
  id: string;
  spaceId: string;
  spaceName: string;
  template: SpaceTemplate;
  role: PillarRole;
  title: string;
  body: string;
  note: string | null;
  /** Of a change; null for a new Memory. */
  memoryId: string | null;
  baseVersion: number | null;
  /** The Memory as it is now; null for a new one, and where it was deleted. */
  current: { title: string; body: string; version: number } | null;
  /** Name of the key or application, and of the member behind it. */
  by: string | null;
  memberName: string | null;
  createdAt: Date;
  expiresAt: Date;
};

const waiting = (ctx: Context<AccountActor>) =>
  ctx.kysely
    .selectFrom('MemoryProposal as p')
    .innerJoin('Space as s', 's.id', 'p.spaceId')
    .where('p.accountId', '=', ctx.actor.accountId)
    .where('p.state', '=', 'WAITING')
    .where('p.expiresAt', '>', ctx.clock.now())
    .where('s.archivedAt', 'is', null)
    .where(isWithinReach(ctx.actor, 's.id'));

/** How many proposals wait for a member of the account. */
export async function countProposals(ctx: Context<AccountActor>): Promise<number> {
  const { total } = await waiting(ctx)
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** What waits in the account, the oldest first: a page, from 1, of the `total`, which is 0 past the end. Those of an archived Space wait unseen. */
export async function listProposals(
  ctx: Context<AccountActor>,
  { page = 1 }: { page?: number } = {},
): Promise<{ proposals: WaitingProposal[]; total: number }> {
  const { accountId } = ctx.actor;
  const rows = await waiting(ctx)
    .leftJoin('Memory as m', (join) =>
      join.onRef('m.id', '=', 'p.memoryId').on('m.accountId', '=', accountId).on('m.deletedAt', 'is', null),
    )
    .leftJoin('Member as w', (join) =>
      join.onRef('w.id', '=', 'p.memberId').on('w.accountId', '=', accountId),
    )
    .leftJoin('DeveloperKey as k', (join) =>
      join.on('k.accountId', '=', accountId).on(sql<boolean>`p.proposer = 'key:' || k.id`),
    )
    .leftJoin('OAuthGrant as g', (join) =>
      join.on('g.accountId', '=', accountId).on(sql<boolean>`p.proposer = 'oauth:' || g.id`),
    )
    .leftJoin('OAuthClient as c', 'c.id', 'g.clientId')
    .select((eb) => [
      'p.id',
      'p.spaceId',
      's.name as spaceName',
      's.template',
      'p.role',
      'p.title',
      'p.body',
      'p.note',
      'p.memoryId',
      'p.baseVersion',
      'm.title as currentTitle',
      'm.body as currentBody',
      'm.version as currentVersion',
      eb.fn.coalesce('k.name', 'c.name').as('by'),
      'w.name as memberName',
      'p.createdAt',
      'p.expiresAt',
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy('p.createdAt')
    .orderBy('p.id')
    .limit(PROPOSALS_A_PAGE)
    .offset((page - 1) * PROPOSALS_A_PAGE)
    .execute();
  return {
    proposals: rows.map(({ total: _, currentTitle, currentBody, currentVersion, ...row }) => ({
      ...row,
      current:
        currentTitle === null || currentBody === null || currentVersion === null
          ? null
          : { title: currentTitle, body: currentBody, version: currentVersion },
    })),
    total: rows[0]?.total ?? 0,
  };
}
