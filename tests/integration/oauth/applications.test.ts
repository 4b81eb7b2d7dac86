import { expect, test } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { MICROS_PER_USD } from '#lib/core/money.ts';
import { countApplications, listApplications } from '#lib/oauth/list-applications.ts';
import { readApplicationCap } from '#lib/oauth/read-application-cap.ts';
import { revokeApplication } from '#lib/oauth/revoke-application.ts';
import { setApplicationCap } from '#lib/oauth/set-application-cap.ts';
import { setApplicationSpaces } from '#lib/oauth/set-application-spaces.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeCode, makeTokens } from '#tests/factories/oauth.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const usd = (dollars: number) => BigInt(dollars) * MICROS_PER_USD;

/** A founder and a member who each let one application in. */
async function scene() {
  const clock = manualClock('2026-11-21T10:00:00.000Z');
  const { account, member: founder, actor } = await makeAccount(service, { now: clock.now() });
  const member = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['generate'] });
  const client = await makeClient(service, { now: clock.now() });
  const scopes = ['brain:read', 'studio:generate'] as const;
  for (const one of [founder, member]) await makeTokens(service, one, { clock, client, scopes: [...scopes] });
  const as = (row: typeof member) => testContext(service, memberActor(row), { clock });
  return {
    account,
    clock,
    founder,
    member,
    client,
    own: as(member),
    ctx: testContext(service, actor, { clock }),
  };
}

test('each member’s connection to one application has its own cap, and is counted once', async () => {
  const { ctx, own, founder, member, client } = await scene();
  const capOf = (row: typeof member, dollars: number) =>
    setApplicationCap(ctx, { clientId: client.id, memberId: row.id, monthlyCapMicros: usd(dollars) });
  await capOf(founder, 3);
  await capOf(member, 2);
  const seen = await listApplications(ctx);
  const caps = seen.map(({ member: { id }, monthlyCapMicros, connections }) => [
    id,
    monthlyCapMicros,
    connections,
  ]);
  expect(new Set(caps.map((one) => one.join()))).toEqual(
    new Set([`${founder.id},${usd(3)},1`, `${member.id},${usd(2)},1`]),
  );
  expect(await listApplications(own)).toMatchObject([{ monthlyCapMicros: usd(2), connections: 1 }]);
});

test('a founder who ends an application for one member leaves it to their colleague, and to themselves', async () => {
  const { ctx, founder, member, client } = await scene();
  await revokeApplication(ctx, { clientId: client.id, memberId: member.id });
  expect((await listApplications(ctx)).map((one) => one.member.id)).toEqual([founder.id]);
});

test('a founder of another account neither ends it nor sets its cap', async () => {
  const { member, client, own } = await scene();
  const stranger = testContext(service, (await makeAccount(service)).actor);
  const target = { clientId: client.id, memberId: member.id };
  const refused = { code: 'not_found' };
  await expect(revokeApplication(stranger, target)).rejects.toMatchObject(refused);
  await expect(setApplicationCap(stranger, { ...target, monthlyCapMicros: 1n })).rejects.toMatchObject(
    refused,
  );
  expect(await listApplications(own)).toMatchObject([{ monthlyCapMicros: usd(5), connections: 1 }]);
});

test('an application whose connections open different Spaces shows those of the latest, which the audit tells as what was before', async () => {
  const { account, clock, founder, client, ctx } = await scene();
  const [former, latest] = [await makeSpace(service, account.id), await makeSpace(service, account.id)];
  await service.pool.query('UPDATE "OAuthGrant" SET "spaceRights" = $2 WHERE "memberId" = $1', [
    founder.id,
    JSON.stringify({ [former.id]: 'read' }),
  ]);
  clock.advance(60_000);
  await makeTokens(service, founder, { clock, client });
  await service.pool.query(
    'UPDATE "OAuthGrant" SET "spaceRights" = $2 WHERE "memberId" = $1 AND "createdAt" = $3',
    [founder.id, JSON.stringify({ [latest.id]: 'write' }), clock.now()],
  );
  const target = { clientId: client.id, memberId: founder.id };
  const mine = async () => (await listApplications(ctx)).find((one) => one.member.id === founder.id);
  expect(await mine()).toMatchObject({ spaces: { [latest.id]: 'write' }, spacesDiffer: true });
  await setApplicationSpaces(ctx, { ...target, spaces: null });
  expect(await mine()).toMatchObject({ spaces: null, spacesDiffer: false });
  const entry = await service.db.auditEntry.findFirst({
    where: { accountId: account.id, action: 'oauth.spaces_set' },
  });
  expect(entry?.data).toMatchObject({
    before: { spaces: [{ id: latest.id, access: 'write' }] },
    after: { spaces: null },
  });
});

test('an application that was let in and never came for its code is no connection, and is counted nowhere', async () => {
  const { clock, founder, ctx } = await scene();
  const before = await countApplications(ctx);
  const { client } = await makeCode(service, founder, { clock });
  expect((await listApplications(ctx)).map(({ clientId }) => clientId)).not.toContain(client.id);
  expect(await countApplications(ctx)).toBe(before);
});

test('a connection that ended by itself has no cap that a new one would be compared with', async () => {
  const { clock, client, own } = await scene();
  const cap = () => readApplicationCap(service.kysely, own, { clientId: client.id });
  clock.advance(30 * 86_400_000 - 1);
  expect(await cap()).toBe(usd(5));
  clock.advance(1);
  expect(await cap()).toBeNull();
});

test('the applications that were used come first, the latest used before the others, and those that never were at the end', async () => {
  const { clock, founder, client, ctx } = await scene();
  const made = [client];
  for (let n = 0; n < 2; n += 1) {
    clock.advance(1_000);
    const other = await makeClient(service, { name: `Assistant ${n}`, now: clock.now() });
    await makeTokens(service, founder, { clock, client: other });
    made.push(other);
  }
  const [first, second, unused] = made.map(({ id }) => id) as [string, string, string];
  for (const [clientId, minutes] of [
    [first, 2],
    [second, 1],
  ] as const)
    await service.db.oAuthGrant.updateMany({
      where: { clientId, memberId: founder.id },
      data: { lastUsedAt: new Date(clock.now().getTime() + minutes * 60_000) },
    });
  const own = (await listApplications(ctx)).filter(({ member }) => member.id === founder.id);
  expect(own.map(({ clientId }) => clientId)).toEqual([first, second, unused]);
});
