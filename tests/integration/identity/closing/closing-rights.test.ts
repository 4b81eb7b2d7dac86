import { expect, it } from 'vitest';
import type { ServiceError } from '#lib/core/errors.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { readClosing } from '#lib/identity/closing/read-closing.ts';
import { eraseMember } from '#lib/identity/members/erase-member.ts';
import { makeAccount, makeKey, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );

it('a founder’s key erases nobody and closes no account, nor does a member; their session does', async () => {
  const { account, member, actor } = await makeAccount(service);
  const other = await makeMember(service, account.id, { role: 'MEMBER' });
  const { actor: key } = await makeKey(service, member);
  const target = { accountId: account.id, memberId: other.id };
  const closing = { accountId: account.id, name: account.name };
  for (const by of [key, memberActor(other)]) {
    const ctx = testContext(service, by);
    const done = [eraseMember(ctx, { ...target, memberId: member.id }), closeAccount(ctx, closing)];
    expect(await Promise.all([...done, reopenAccount(ctx, target)].map(codeOf))).toEqual(
      Array.from({ length: 3 }, () => 'forbidden'),
    );
  }
  const ctx = testContext(service, actor);
  expect(await codeOf(eraseMember(ctx, target))).toBe('done');
  expect(await codeOf(closeAccount(ctx, closing))).toBe('done');
});

it('whether an account is closed, and since when, is read by its founders alone', async () => {
  const { account, actor } = await makeAccount(service);
  const other = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['brain.write'] });
  const ctx = testContext(service, actor);
  expect(await codeOf(readClosing(testContext(service, memberActor(other))))).toBe('forbidden');
  expect(await readClosing(ctx)).toEqual({ name: account.name, isOperator: false, closedAt: null });
  await closeAccount(ctx, { accountId: account.id, name: account.name });
  expect(await readClosing(ctx)).toMatchObject({ closedAt: expect.any(Date) });
});
