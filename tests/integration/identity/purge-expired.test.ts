import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('removes what signing in left behind, and nothing that still counts', async () => {
  const clock = manualClock('2026-11-21T10:00:00Z');
  const { account, member } = await makeAccount(service, { now: clock.now() });
  const ctx = testContext(service, { type: 'anonymous' as const }, { clock });
  const deps = { secret: 'session-secret-of-the-tests-0123456789', post: () => {} };
  const open = () =>
    openSession({ clock, kysely: service.kysely }, { accountId: account.id, memberId: member.id });
  await open();
  await requestSignInCode(
    ctx,
    { email: member.email, network: '203.0.113.1', browser: 'b'.repeat(43) },
    deps,
  );
  const none = {
    codes: 0,
    windows: 0,
    sessions: 0,
    failures: 0,
    browsers: 0,
    challenges: 0,
    deliveries: 0,
    shares: 0,
    thresholds: 0,
  };
  expect(await purgeExpired(ctx)).toEqual(none);
  const at = clock.now();
  await service.db.signInFailure.create({ data: { email: 'a@exemple.test', failures: 3, updatedAt: at } });
  const seen = { personId: member.personId as string, createdAt: at, failures: 0 };
  await service.db.knownBrowser.createMany({
    data: [
      { ...seen, browserHash: 'old', lastSeenAt: new Date(at.getTime() - 300 * 86_400_000) },
      { ...seen, browserHash: 'live', lastSeenAt: at },
    ],
  });
  await service.db.spentChallenge.create({ data: { hash: 'spent', expiresAt: at } });
  await service.db.shareLink.create({
    data: {
      id: createId('shareLink'),
      accountId: member.accountId,
      createdById: member.id,
      tokenHash: Buffer.from('ended'),
      spaceId: 'spc_x',
      createdAt: at,
      expiresAt: at,
    },
  });
  clock.advance(121 * 86_400_000);
  await open();
  await requestSignInCode(
    ctx,
    { email: member.email, network: '203.0.113.1', browser: 'b'.repeat(43) },
    deps,
  );
  expect(await purgeExpired(ctx)).toEqual({
    codes: 1,
    windows: 6,
    sessions: 1,
    failures: 1,
    browsers: 1,
    challenges: 1,
    deliveries: 0,
    shares: 1,
    thresholds: 0,
  });
  expect(await service.db.session.count()).toBe(1);
  expect(await service.db.signInCode.count()).toBe(1);
});

it('works in batches for as long as it may take, and leaves the rest to the next night', async () => {
  const clock = manualClock('2027-11-21T10:00:00Z');
  const ctx = testContext(service, { type: 'anonymous' as const }, { clock });
  await service.db.rateLimitWindow.deleteMany();
  const startsAt = new Date(clock.now().getTime() - 3 * 86_400_000);
  await service.db.rateLimitWindow.createMany({
    data: Array.from({ length: 25 }, (_, n) => ({ key: `k${n}`, startsAt, requests: 1, writes: 0 })),
  });
  // Each look at the time costs a second: the first batches fit, the others do not.
  let seconds = 0;
  const elapsedMs = () => {
    seconds += 1;
    return seconds * 1000;
  };
  expect((await purgeExpired(ctx, { batch: 10, budgetMs: 3_000, elapsedMs })).windows).toBe(10);
  expect((await purgeExpired(ctx, { batch: 10 })).windows).toBe(15);
});

it('a share is kept for 30 days after its end, and not for one more', async () => {
  const clock = manualClock('2028-11-21T10:00:00Z');
  const { account, member } = await makeAccount(service, { now: clock.now() });
  const of = { accountId: account.id, createdById: member.id, spaceId: 'spc_x', createdAt: clock.now() };
  const ended = (days: number) => ({
    ...of,
    id: createId('shareLink'),
    tokenHash: Buffer.from(`ended ${days}`),
    expiresAt: new Date(clock.now().getTime() - days * 86_400_000),
  });
  const kept = ended(29.99);
  await service.db.shareLink.createMany({ data: [kept, ended(30.01)] });
  await purgeExpired(testContext(service, { type: 'anonymous' as const }, { clock }));
  const left = await service.db.shareLink.findMany({ where: { accountId: account.id } });
  expect(left.map(({ id }) => id)).toEqual([kept.id]);
});
