import { expect, test } from 'vitest';
import { withCurrentRights } from '#lib/core/current-rights.ts';
import { makeAccount, makeKey } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const END = new Date('2026-11-01T00:00:00Z');

async function setting(key: { expiresAt?: Date; revokedAt?: Date } = {}) {
  const { account, member } = await makeAccount(service);
  const { actor } = await makeKey(service, member, key);
  const at = async (now: Date) => {
    const ctx = testContext(service, actor, { clock: { now: () => now } });
    return (await withCurrentRights(ctx)).actor;
  };
  return { account, member, at };
}

test('long work goes on until the very moment in which its key expires, and not in it', async () => {
  const { at } = await setting({ expiresAt: END });
  expect(await at(new Date(END.getTime() - 1))).toMatchObject({ type: 'key' });
  await expect(at(END)).rejects.toMatchObject({ code: 'forbidden' });
});

test('long work ends once its key is revoked, its member is no longer active, or its account is being erased', async () => {
  const revoked = await setting({ revokedAt: END });
  await expect(revoked.at(END)).rejects.toMatchObject({ code: 'forbidden' });
  const removed = await setting();
  await service.db.member.update({ where: { id: removed.member.id }, data: { status: 'REMOVED' } });
  await expect(removed.at(END)).rejects.toMatchObject({ code: 'forbidden' });
  const erased = await setting();
  expect((await erased.at(END)).accountId).toBe(erased.account.id);
  await service.db.account.update({
    where: { id: erased.account.id },
    data: { closedAt: new Date(END.getTime() - 31 * 86_400_000), erasingAt: END },
  });
  await expect(erased.at(END)).rejects.toMatchObject({ code: 'forbidden' });
});
