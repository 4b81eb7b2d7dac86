import { randomUUID } from 'node:crypto';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createLogger } from '#lib/core/log.ts';
import type { Connection } from '#lib/db/connection.ts';

export type EvalMemory = { id: string; title: string; body: string; updatedAt: Date; role?: PillarRole };
export type EvalAccount = { ctx: Context<MemberActor>; spaceId: string };

/** The evaluation's day: nothing in it depends on when it runs. */
const TODAY = new Date('2026-06-01T08:00:00Z');

/** An account with one Space of these Memories, in the index. Identifiers and dates are those given. */
export async function makeEvalAccount(
  connection: Connection,
  name: string,
  memories: readonly EvalMemory[],
): Promise<EvalAccount> {
  const { db, kysely } = connection;
  const accountId = `acc_${randomUUID()}`;
  const spaceId = `spc_${randomUUID()}`;
  const dates = { createdAt: TODAY, updatedAt: TODAY };
  await db.account.create({
    data: { id: accountId, name, capacityCu: 10_000_000, contractualReads: 1_000_000_000, ...dates },
  });
  await db.space.create({ data: { id: spaceId, accountId, name, template: 'brand', ...dates } });
  for (let from = 0; from < memories.length; from += 1_000)
    await db.memory.createMany({
      data: memories.slice(from, from + 1_000).map(({ id, title, body, updatedAt, role = 'KNOWLEDGE' }) => ({
        id,
        accountId,
        spaceId,
        role,
        kind: 'NOTE' as const,
        title,
        body,
        source: 'MANUAL' as const,
        cu: 1,
        createdAt: updatedAt,
        updatedAt,
      })),
    });
  const actor: MemberActor = {
    type: 'member',
    sessionId: 'ses_eval',
    accountId,
    memberId: 'mbr_eval',
    role: 'FOUNDER',
    permissions: [],
    operator: false,
  };
  const log = createLogger({ write: () => {}, now: () => TODAY, minLevel: 'error' });
  const ctx = { actor, db, kysely, clock: manualClock(TODAY), log, requestId: 'req_eval' };
  await indexPending(ctx, { accountId });
  return { ctx, spaceId };
}
