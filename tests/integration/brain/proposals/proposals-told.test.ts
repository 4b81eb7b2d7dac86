import { describe, expect, test } from 'vitest';
import { acceptProposal } from '#lib/brain/proposals/decide-proposal.ts';
import { listProposals } from '#lib/brain/proposals/list-proposals.ts';
import { PROPOSAL_DAYS } from '#lib/brain/proposals/proposal-rules.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { makeAccount, makeKey, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeTokens } from '#tests/factories/oauth.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function setting() {
  const { account, member } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, memberActor(member));
  const propose = (by: Context<AccountActor>, title: string) =>
    proposeMemory(by, {
      place: { spaceId: space.id, pillar: 'GUIDELINES' },
      title,
      body: 'Nous vouvoyons.',
      note: null,
    });
  return { account, member, space, ctx, propose };
}

describe('a proposal', () => {
  test('is written as the member edited it, and the audit says whether they did', async () => {
    const { space, ctx, propose } = await setting();
    const accept = async (title: string, edits: { title?: string; body?: string }) => {
      const { id: proposalId } = await propose(ctx, title);
      await acceptProposal(ctx, { proposalId, seenVersion: null, ...edits });
      const entry = await service.db.auditEntry.findFirstOrThrow({
        where: { action: 'memory.proposal_accepted', subjectId: proposalId },
      });
      return (entry.data as { edited: boolean }).edited;
    };
    expect([
      await accept('Ton', {}),
      await accept('Voix', { title: 'Voix de la marque' }),
      await accept('Style', { body: 'Nous tutoyons.' }),
      await accept('Accueil', { title: 'Accueil', body: 'Nous vouvoyons.' }),
    ]).toEqual([false, true, true, false]);
    const memories = await service.db.memory.findMany({ where: { spaceId: space.id } });
    expect(memories.map(({ title, body }) => [title, body]).sort()).toEqual([
      ['Accueil', 'Nous vouvoyons.'],
      ['Style', 'Nous tutoyons.'],
      ['Ton', 'Nous vouvoyons.'],
      ['Voix de la marque', 'Nous vouvoyons.'],
    ]);
  });

  test('made again for another pillar or another Space is another one', async () => {
    const { account, space, ctx } = await setting();
    const other = await makeSpace(service, account.id, { name: 'Autre' });
    const made = [
      { spaceId: space.id, pillar: 'GUIDELINES' },
      { spaceId: space.id, pillar: 'ITEMS' },
      { spaceId: other.id, pillar: 'GUIDELINES' },
    ] as const;
    for (const place of made)
      await proposeMemory(ctx, { place, title: 'Ton', body: 'Nous vouvoyons.', note: null });
    const { proposals } = await listProposals(ctx);
    expect(proposals.map(({ spaceId, role }) => ({ spaceId, pillar: role }))).toEqual(made);
  });

  test('that nobody decided in its time may be made again, from the very moment in which it is over', async () => {
    const { ctx, propose } = await setting();
    const one = await propose(ctx, 'Ton');
    const at = (now: Date) => ({ ...ctx, clock: { now: () => now } });
    const lastMoment = at(new Date(one.expiresAt.getTime() - 1));
    expect(await propose(lastMoment, 'Ton')).toEqual(one);
    expect((await listProposals(lastMoment)).total).toBe(1);
    const over = at(one.expiresAt);
    expect((await listProposals(over)).total).toBe(0);
    const again = await propose(over, 'Ton');
    expect(again).toMatchObject({ state: 'WAITING' });
    expect(again.id).not.toBe(one.id);
    expect(again.expiresAt.getTime() - one.expiresAt.getTime()).toBe(PROPOSAL_DAYS * 86_400_000);
    expect((await listProposals(over)).proposals.map(({ id }) => id)).toEqual([again.id]);
  });

  test('names the key or the application that made it, and the member behind it', async () => {
    const { member, ctx, propose } = await setting();
    const { actor: key } = await makeKey(service, member);
    const client = await makeClient(service, { name: 'Assistant de dessin' });
    await makeTokens(service, member, { client, scopes: ['brain:propose'] });
    const grant = await service.db.oAuthGrant.findFirstOrThrow({ where: { clientId: client.id } });
    const { keyId: _, type: __, ...rest } = key;
    const application = { ...rest, type: 'oauth', grantId: grant.id, clientId: client.id } as const;
    for (const actor of [key, application, ctx.actor])
      await propose(testContext<AccountActor>(service, actor), `Par ${actor.type}`);
    const { proposals } = await listProposals(ctx);
    expect(proposals.map(({ title, by, memberName }) => [title, by, memberName])).toEqual([
      ['Par key', 'Clé de test', 'Camille Aubry'],
      ['Par oauth', 'Assistant de dessin', 'Camille Aubry'],
      ['Par member', null, 'Camille Aubry'],
    ]);
  });
});
