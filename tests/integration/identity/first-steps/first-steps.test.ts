import { describe, expect, it } from 'vitest';
import { importDrafts } from '#lib/brain/imports/import-drafts.ts';
import { parseMarkdownFolder } from '#lib/brain/imports/parse/markdown-folder.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { archiveSpace } from '#lib/brain/spaces/change-space.ts';
import { getFirstSteps } from '#lib/identity/first-steps/get-first-steps.ts';
import { hideFirstSteps } from '#lib/identity/first-steps/hide-first-steps.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeGeneration } from '#tests/factories/ledger.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const ALL = { space: false, import: false, image: false, assistant: false, colleague: false };

async function stepsOf(ctx: Parameters<typeof getFirstSteps>[0]) {
  const found = await getFirstSteps(ctx);
  return found && Object.fromEntries(found.steps.map(({ step, done }) => [step, done]));
}

describe('the list of first steps', () => {
  it('says what the data say at that moment, undone again when it is undone, in one round trip, and goes when all is done', async () => {
    const { account, member, actor } = await makeAccount(service);
    const ctx = testContext(service, actor);
    expect(await stepsOf(ctx)).toEqual(ALL);

    const space = await makeSpace(service, account.id);
    expect(await stepsOf(ctx)).toEqual({ ...ALL, space: true });
    await archiveSpace(ctx, { spaceId: space.id, archived: true });
    expect(await stepsOf(ctx)).toEqual(ALL);
    await archiveSpace(ctx, { spaceId: space.id, archived: false });

    const { drafts } = parseMarkdownFolder([{ path: 'a.md', bytes: Buffer.from('x') }], { pillar: 'ITEMS' });
    await importDrafts(ctx, { spaceId: space.id, drafts, source: 'UPLOAD' });
    expect(await stepsOf(ctx)).toEqual({ ...ALL, space: true, import: true });
    await archiveSpace(ctx, { spaceId: space.id, archived: true });
    expect(await stepsOf(ctx)).toEqual(ALL);
    await archiveSpace(ctx, { spaceId: space.id, archived: false });
    const memory = await service.db.memory.findFirstOrThrow({ where: { spaceId: space.id } });
    await deleteMemory(ctx, { memoryId: memory.id });
    expect(await stepsOf(ctx)).toEqual({ ...ALL, space: true });
    await importDrafts(ctx, { spaceId: space.id, drafts, source: 'UPLOAD' });

    // Asked for is not made.
    const id = await makeGeneration(service, { accountId: account.id, memberId: member.id });
    expect((await stepsOf(ctx))?.image).toBe(false);
    await service.db.generation.update({
      where: { id },
      data: { state: 'COMPLETED', closedAt: new Date(), closedBy: 'request', costMicros: 42_000n },
    });
    expect((await stepsOf(ctx))?.image).toBe(true);

    await makeTokens(service, member);
    expect((await stepsOf(ctx))?.assistant).toBe(true);
    await service.db.oAuthGrant.updateMany({
      where: { memberId: member.id },
      data: { revokedAt: new Date(), revokedBy: 'MEMBER' },
    });
    expect((await stepsOf(ctx))?.assistant).toBe(false);
    await makeTokens(service, member);

    let trips = 0;
    const kysely = interceptedQueries(service.connection.pool, {
      before() {
        trips += 1;
        return undefined;
      },
    });
    expect(await stepsOf({ ...ctx, kysely })).toEqual({
      space: true,
      import: true,
      image: true,
      assistant: true,
      colleague: false,
    });
    expect(trips).toBe(1);
    // Somebody invited is a colleague for as long as they may come, and no longer.
    const invited = await makeMember(service, account.id);
    const invite = (endsInMs: number) =>
      service.db.member.update({
        where: { id: invited.id },
        data: { status: 'INVITED', invitationEndsAt: new Date(ctx.clock.now().getTime() + endsInMs) },
      });
    await invite(-1_000);
    expect((await stepsOf(ctx))?.colleague).toBe(false);
    await invite(86_400_000);
    expect(await getFirstSteps(ctx)).toBeNull();
  });

  it('holds only what the member may do, counts nothing of another account, and is put away by each for themselves', async () => {
    const { account, actor } = await makeAccount(service);
    const other = await makeAccount(service);
    await makeSpace(service, other.account.id);
    const writer = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['brain.write'] });
    const reader = await makeMember(service, account.id, { role: 'MEMBER' });
    const ctx = testContext(service, actor);
    const theirs = testContext(service, memberActor(writer));
    expect(await stepsOf(theirs)).toEqual({ space: false, import: false, assistant: false });
    expect(await getFirstSteps(testContext(service, memberActor(reader)))).toBeNull();

    await hideFirstSteps(theirs, { hidden: true });
    expect(await getFirstSteps(theirs)).toBeNull();
    expect(await stepsOf(ctx)).toEqual({ ...ALL, colleague: true });
    await hideFirstSteps(theirs, { hidden: false });
    expect(await stepsOf(theirs)).not.toBeNull();
  });
});
