import { expect, it } from 'vitest';
import { updateMember } from '#lib/identity/members/update-member.ts';
import { recordAttempt } from '#lib/webhooks/delivery/record.ts';
import { deleteEndpoint } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

it('an endpoint that is gone is stopped while its creator loses a Space: one waits for the other, never crosswise', async () => {
  const scene = await webhookScene(service);
  const { account } = scene;
  const member = await makeMember(service, account.id, { role: 'MEMBER' });
  const url = 'https://a.boutique.fr/evenements';
  const { id } = await createEndpoint(scene.context(memberActor(member)), { url, events: ['memory.added'] });
  for (const title of ['Avant', 'Pendant', 'Après']) await scene.add(title);
  const endpoint = await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  // The one in the middle: in whichever order the others are read, one of them is taken before it.
  const [, delivery] = await scene.rows();
  if (!delivery) throw new Error('three were told');
  const meanwhile: Promise<void>[] = [];
  let writes = 0;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ text }) {
      if (!text.startsWith('update "WebhookDelivery"') || ++writes !== 2) return;
      meanwhile.push(
        updateMember(scene.ctx, {
          accountId: account.id,
          memberId: member.id,
          name: member.name,
          role: 'MEMBER',
          permissions: [],
          spaces: {},
        }),
      );
      await untilBlocked(service);
    },
  });
  const outcome = await recordAttempt(
    { ...scene.pass, kysely },
    { ...delivery, endpoint },
    { result: 'refused', status: 410, ms: 1 },
  );
  expect(outcome).toBe('again');
  await Promise.all(meanwhile);
  expect([writes, (await scene.rows()).length]).toEqual([2, 0]);
});

it('a Memory is written while one of its endpoints is deleted: it waits, is written, and is told to the others', async () => {
  const scene = await webhookScene(service);
  const gone = await scene.subscribe('https://a.boutique.fr/evenements');
  const kept = await scene.subscribe('https://b.boutique.fr/evenements');
  const meanwhile: Promise<unknown>[] = [];
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ label }) {
      if (label !== 'commit') return;
      meanwhile.push(scene.add('Pendant'));
      await untilBlocked(service);
    },
  });
  await deleteEndpoint({ ...scene.ctx, kysely }, { endpointId: gone.id });
  await Promise.all(meanwhile);
  const told = (await scene.rows()).map(({ endpointId, type }) => [endpointId, type]);
  expect([meanwhile.length, told]).toEqual([1, [[kept.id, 'memory.added']]]);
});

it('of two events of one endpoint that are refused for good in one moment, the second waits, and neither is waited for crosswise', async () => {
  const scene = await webhookScene(service);
  const { id } = await scene.subscribe('https://a.boutique.fr/evenements', ['memory.added']);
  for (const title of ['Une', 'Autre']) await scene.add(title);
  const endpoint = await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  const [one, other] = await scene.rows();
  if (!one || !other) throw new Error('two were told');
  const recorded: string[] = [];
  const refused = (delivery: NonNullable<typeof one>) => async (kysely: typeof service.kysely) => {
    const gone = { result: 'refused', status: 410, ms: 1 } as const;
    recorded.push(await recordAttempt({ ...scene.pass, kysely }, { ...delivery, endpoint }, gone));
  };
  // The first has written its event, and not yet its endpoint.
  const both = oneAcrossAnother(service, refused(one), /^update "WebhookEndpoint"/, () =>
    refused(other)(service.kysely),
  );
  expect(await both).toEqual(['done', 'done']);
  expect(recorded).toEqual(['again', 'lost']);
  expect((await scene.rows()).map(({ state }) => state)).toEqual(['FAILED', 'FAILED']);
});
