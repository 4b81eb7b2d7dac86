import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { purgeClients } from '#lib/oauth/clients/purge-clients.ts';
import { listApplications } from '#lib/oauth/list-applications.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { setApplicationSpaces } from '#lib/oauth/set-application-spaces.ts';
import { makeAccount, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeTokens } from '#tests/factories/oauth.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
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
  const connection = await service.pool.connect();
  try {
    await connection.query('BEGIN');
    await connection.query('SELECT 1 FROM "OAuthToken" WHERE id = $1 FOR UPDATE', [held]);
    await purgeClients(testContext(service, { type: 'anonymous' } as const, { clock }));
    await connection.query('ROLLBACK');
  } finally {
    connection.release();
  }
  const left = await service.db.oAuthToken.findMany({ where: { grant: { memberId: member.id } } });
  expect([before.length, left.map(({ id }) => id)]).toEqual([2, [held]]);
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
