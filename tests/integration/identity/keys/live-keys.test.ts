import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { newDeveloperKey } from '#lib/identity/keys/developer-keys.ts';
import { LIVE_KEYS_PER_MEMBER } from '#lib/identity/keys/key-limit.ts';
import { countKeys, listKeys } from '#lib/identity/keys/list-keys.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });
const DAY_MS = 86_400_000;

async function scene() {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { account, member, actor } = await makeAccount(service, { now: clock.now() });
  const ctx = testContext(service, actor, { clock });
  const create = () =>
    createKey(ctx, { accountId: account.id, memberId: member.id, name: 'Site', expiresInDays: 30 });
  const rotate = (keyId: string, overlapDays: number) =>
    rotateKey(ctx, { accountId: account.id, keyId, overlapDays });
  const living = () =>
    service.db.developerKey.count({
      where: {
        memberId: member.id,
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: clock.now() } }],
      },
    });
  const fill = async (count: number) => {
    for (let n = 0; n < count; n += 1) await makeKey(service, member, { now: clock.now() });
  };
  return { account, clock, ctx, create, fill, living, member, rotate };
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, options }: ServiceError) => `${code} ${options.detail ?? ''}`.trim(),
  );
const FULL = 'conflict too-many-keys';

describe('a member', () => {
  it('never has more than twenty living keys, however many are made and replaced at once', async () => {
    const { create, fill, living, member, rotate } = await scene();
    await fill(12);
    const own = await service.db.developerKey.findMany({ where: { memberId: member.id }, take: 6 });
    const outcomes = await Promise.all([
      ...Array.from({ length: 12 }, () => refusalOf(create())),
      ...own.map(({ id }) => refusalOf(rotate(id, 3))),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(8);
    expect([...new Set(outcomes)].sort()).toEqual([FULL, 'done']);
    expect(await living()).toBe(LIVE_KEYS_PER_MEMBER);
  });

  it('counts its keys once another of its creations, begun before, has ended', async () => {
    const { create, ctx, account, fill, member } = await scene();
    await fill(LIVE_KEYS_PER_MEMBER - 1);
    let second: Promise<string> | undefined;
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ text }) {
        if (second !== undefined || !text.startsWith('insert into "DeveloperKey"')) return;
        // The first has counted nineteen and inserts its own next.
        second = refusalOf(create());
        await Promise.race([second, untilBlocked(service)]);
      },
    });
    const first = createKey(
      { ...ctx, kysely },
      { accountId: account.id, memberId: member.id, name: 'Site', expiresInDays: 30 },
    );
    expect([await refusalOf(first), await second]).toEqual(['done', FULL]);
  });

  it('replaces no key that is being revoked: who revokes it has ended it for good', async () => {
    const { account, create, ctx, living, rotate } = await scene();
    const { id: keyId } = await create();
    const revoke = () => revokeKey(ctx, { accountId: account.id, keyId });
    expect(await oneBeforeAnother(service, revoke, () => rotate(keyId, 7))).toEqual(['done', 'conflict']);
    expect(await living()).toBe(0);
  });

  it('makes room by revoking a key, or by the end of one; the shell meets the same cap', async () => {
    const { account, clock, create, ctx, fill, member } = await scene();
    await fill(18);
    const soon = new Date(clock.now().getTime() + DAY_MS);
    await makeKey(service, member, { now: clock.now(), expiresAt: soon });
    const { id: keyId } = await create();
    const founder = await makeMember(service, account.id, { role: 'FOUNDER' });
    const shell = testContext(service, { type: 'admin' }, { clock });
    const asFounder = testContext(service, memberActor(founder), { clock });
    const forFounder = { accountId: account.id, memberId: founder.id, name: 'x', expiresInDays: 30 } as const;
    const forMember = { accountId: account.id, memberId: member.id, name: 'x', expiresInDays: 30 } as const;
    expect([await refusalOf(create()), await refusalOf(createKey(shell, forMember))]).toEqual([FULL, FULL]);
    expect(await refusalOf(createKey(asFounder, forFounder))).toBe('done');
    await revokeKey(ctx, { accountId: account.id, keyId });
    expect([await refusalOf(create()), await refusalOf(create())]).toEqual(['done', FULL]);
    clock.advance(DAY_MS);
    expect([await refusalOf(create()), await refusalOf(create())]).toEqual(['done', FULL]);
  });

  it('still sees the oldest of its keys that works, however many that ended came after, and those on the next page', async () => {
    const { account, clock, ctx, member } = await scene();
    const { key } = await makeKey(service, member, { now: clock.now() });
    clock.advance(DAY_MS);
    const at = clock.now();
    await service.db.developerKey.createMany({
      data: Array.from({ length: 500 }, () => {
        const { prefix, tokenHash } = newDeveloperKey();
        const of = { accountId: account.id, memberId: member.id, name: 'Ancienne', scopes: [] };
        return { ...of, id: createId('developerKey', at), prefix, tokenHash, createdAt: at, revokedAt: at };
      }),
    });
    const listed = await listKeys(ctx, { accountId: account.id });
    expect([listed.length, listed.at(-1)?.id]).toEqual([500, key.id]);
    expect(await listKeys(ctx, { accountId: account.id, page: 2 })).toHaveLength(1);
    expect(await countKeys(ctx, { accountId: account.id })).toEqual({ all: 501, living: 1 });
  });

  it('at the cap still replaces a leaked key at once, and is told how when an overlap has no room', async () => {
    const { fill, living, member, rotate } = await scene();
    await fill(LIVE_KEYS_PER_MEMBER);
    const [key] = await service.db.developerKey.findMany({ where: { memberId: member.id } });
    const refused = await rotate(key?.id ?? '', 3).catch((error: ServiceError) => error);
    expect(refused).toMatchObject({ message: expect.stringContaining('sans période commune') });
    expect(await service.db.developerKey.findUnique({ where: { id: key?.id ?? '' } })).toMatchObject({
      successorId: null,
      revokedAt: null,
    });
    expect(await refusalOf(rotate(key?.id ?? '', 0))).toBe('done');
    expect(await living()).toBe(LIVE_KEYS_PER_MEMBER);
  });
});
