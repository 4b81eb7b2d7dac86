import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { purgeClients } from '#lib/oauth/clients/purge-clients.ts';
import { listApplications } from '#lib/oauth/list-applications.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { setApplicationSpaces } from '#lib/oauth/set-application-spaces.ts';
import { makeAccount, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeCode, makeTokens } from '#tests/factories/oauth.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

it('an application with two connections is ended while its Spaces are set: one waits for the other, never crosswise', async () => {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { member } = await makeAccount(service, { now: clock.now() });
  const client = await makeClient(service, { now: clock.now() });
  await makeTokens(service, member, { client, clock });
  clock.advance(1_000);
  await makeTokens(service, member, { client, clock, resource: '/api/v1' });
  const ctx = testContext(service, memberActor(member), { clock });
  const target = { clientId: client.id, memberId: member.id };
  const meanwhile: Promise<string>[] = [];
  let ended = 0;
  const kysely = interceptedQueries(service.connection.pool, {
    async before({ text }) {
      if (!text.startsWith('update "OAuthGrant"') || ++ended !== 2) return;
      meanwhile.push(outcomeOf(setApplicationSpaces(ctx, { ...target, spaces: {} })));
      await untilBlocked(service);
    },
  });
  expect(await outcomeOf(revokeApplication({ ...ctx, kysely }, target))).toBe('done');
  expect(await meanwhile[0]).toBe('not_found');
});

it('a purge waits for nobody: a token that somebody holds stays for another, and the others go', async () => {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { member } = await makeAccount(service, { now: clock.now() });
  await makeTokens(service, member, { clock });
  const before = await service.db.oAuthToken.findMany({ where: { grant: { memberId: member.id } } });
  const held = before[0]?.id ?? '';
  // Past the end of the tokens; the connection itself is remembered for longer.
  clock.advance(32 * 86_400_000);
  const hold = { text: 'SELECT 1 FROM "OAuthToken" WHERE id = $1 FOR UPDATE', values: [held] };
  const purge = () => purgeClients(testContext(service, { type: 'anonymous' } as const, { clock }));
  expect(await claimedMeanwhile(service, hold, purge)).toEqual({ came: undefined, waited: false });
  const left = await service.db.oAuthToken.findMany({ where: { grant: { memberId: member.id } } });
  expect([before.length, left.map(({ id }) => id)]).toEqual([2, [held]]);
});

it.each<[string, Date | null]>([
  ['that was never used', null],
  ['that was used months ago', new Date('2026-08-01T10:00:00Z')],
])(
  'a client %s, and that somebody lets in while a purge is about to take it, stays with its connection',
  async (_, usedAt) => {
    const clock = manualClock('2026-11-22T10:00:00Z');
    const { member } = await makeAccount(service, { now: clock.now() });
    const client = await makeClient(service, { now: new Date('2026-07-01T10:00:00Z') });
    await service.db.oAuthClient.update({ where: { id: client.id }, data: { usedAt } });
    const purge = () => purgeClients(testContext(service, { type: 'anonymous' } as const, { clock }));
    const letIn = () => makeCode(service, member, { client, clock });
    expect(await oneBeforeAnother(service, letIn, purge)).toEqual(['done', 'done']);
    expect(await service.db.oAuthGrant.count({ where: { clientId: client.id } })).toBe(1);
  },
);

it('a connection that ended long ago, and that somebody holds, stays for another night, which waits for nobody', async () => {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { member } = await makeAccount(service, { now: clock.now() });
  await makeTokens(service, member, { clock });
  await makeTokens(service, member, { clock });
  await service.db.oAuthGrant.updateMany({
    where: { memberId: member.id },
    data: { revokedAt: clock.now() },
  });
  const [held, other] = await service.db.oAuthGrant.findMany({ where: { memberId: member.id } });
  clock.advance(31 * 86_400_000);
  await service.db.oAuthToken.deleteMany({ where: { grant: { memberId: member.id } } });
  const hold = { text: 'SELECT 1 FROM "OAuthGrant" WHERE id = $1 FOR UPDATE', values: [held?.id] };
  const purge = () => purgeClients(testContext(service, { type: 'anonymous' } as const, { clock }));
  expect((await claimedMeanwhile(service, hold, purge)).waited).toBe(false);
  expect(other).toBeDefined();
  const left = await service.db.oAuthGrant.findMany({ where: { memberId: member.id } });
  expect(left.map(({ id }) => id)).toEqual([held?.id]);
});

it('of two connections of one instant, the list shows the Spaces of the one that a change calls the latest', async () => {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { account, member } = await makeAccount(service, { now: clock.now() });
  const client = await makeClient(service, { now: clock.now() });
  await makeTokens(service, member, { client, clock });
  await makeTokens(service, member, { client, clock, resource: '/api/v1' });
  const grants = await service.db.oAuthGrant.findMany({
    where: { memberId: member.id },
    orderBy: { id: 'asc' },
  });
  for (const { id } of grants)
    await service.db.oAuthGrant.update({ where: { id }, data: { spaceRights: { [id]: 'read' } } });
  const latest = grants.at(-1)?.id ?? '';
  const ctx = testContext(service, memberActor(member), { clock });
  const [listed] = await listApplications(ctx);
  expect([listed?.connections, listed?.spaces]).toEqual([2, { [latest]: 'read' }]);
  await setApplicationSpaces(ctx, { clientId: client.id, memberId: member.id, spaces: {} });
  const changed = await service.db.auditEntry.findFirst({
    where: { accountId: account.id, action: 'oauth.spaces_set' },
  });
  expect(changed?.subjectId).toBe(latest);
});
