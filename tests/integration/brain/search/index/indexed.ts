import { expect } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { rankDocuments } from '#tests/eval/exhaustive.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import type { TestService } from '#tests/setup/service.ts';

let sequence = 0;

export type Draft = { title: string; body: string; day?: number };
export type Setting = { ctx: Context<MemberActor>; accountId: string; spaceId: string };

/** An account with one Space. */
export async function setting(service: TestService): Promise<Setting> {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  return { ctx: testContext(service, actor), accountId: account.id, spaceId: space.id };
}

/** Memories that are there without having been written by the service: nothing is indexed yet. */
export async function add(
  service: TestService,
  { accountId, spaceId }: Setting,
  drafts: readonly Draft[],
): Promise<string[]> {
  const data = drafts.map(({ title, body, day = 0 }) => {
    sequence += 1;
    const at = new Date(Date.UTC(2026, 0, 1 + day));
    return {
      id: `mem_${String(sequence).padStart(7, '0')}`,
      accountId,
      spaceId,
      role: 'KNOWLEDGE' as const,
      kind: 'NOTE' as const,
      title,
      body,
      source: 'MANUAL' as const,
      cu: 1,
      createdAt: at,
      updatedAt: at,
    };
  });
  await service.db.memory.createMany({ data });
  return data.map(({ id }) => id);
}

/** The Memories of an account that a search may find. */
export const live = (service: TestService, { accountId }: Setting) =>
  service.db.memory.findMany({ where: { accountId, deletedAt: null } });

/** Every query answers what scoring each Memory gives: the same Memories, scores and order. */
export async function expectExact(
  service: TestService,
  at: Setting,
  queries: readonly string[],
): Promise<void> {
  const documents = await live(service, at);
  for (const q of queries) {
    const expected = rankDocuments(parseQuery(q), documents).slice(0, 50);
    const { data } = await searchMemories(at.ctx, { q, limit: 50 });
    expect(data.map(({ memoryId, score }) => [memoryId, score])).toEqual(
      expected.map(({ document, score }) => [document.id, score]),
    );
  }
}
