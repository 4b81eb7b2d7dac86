import { describe, expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { ERASED_NAME, eraseMember } from '#lib/identity/members/erase-member.ts';
import { listRemovedMembers } from '#lib/identity/members/list-members.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { eraseOrphanPersons } from '#lib/identity/people/erase-person.ts';
import { makeKey, makeMember } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { DAY_MS } from '#tests/factories/files/files.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { tablesHolding } from '#tests/factories/watching/byte-search.ts';
import { useTestService } from '#tests/setup/service.ts';
import { rowsOf } from './account-rows.ts';
import { populated } from './populated.ts';

const service = useTestService({ poolMax: 8 });

describe('erasing a member', () => {
  test('leaves no name, address, key, session or code of theirs in any table, and what they made under a neutral name', async () => {
    const one = await populated(service, 'ZQFONDEZQ');
    const gone = await makeMember(service, one.accountId, { role: 'MEMBER', name: 'Aurélie ZQPARTIEZQ' });
    const email = 'aurelie.zqpartiezq@exemple.test';
    await service.db.member.update({ where: { id: gone.id }, data: { email } });
    const { personId } = await service.db.member.findUniqueOrThrow({ where: { id: gone.id } });
    await service.db.person.update({ where: { id: personId as string }, data: { email } });
    await service.db.signInFailure.create({ data: { email, failures: 1, updatedAt: new Date() } });
    await service.db.outboxMessage.create({
      data: { id: 'out_x', recipient: email, subject: 'Code', text: '000000', createdAt: new Date() },
    });
    await makeKey(service, gone);
    const at = new Date();
    await service.db.savedFilter.create({
      data: {
        id: createId('savedFilter'),
        accountId: one.accountId,
        memberId: gone.id,
        name: 'Filtre ZQPARTIEZQ',
        query: 'kind=image',
        createdAt: at,
        updatedAt: at,
      },
    });
    expect(await tablesHolding(service, 'zqpartiezq')).toEqual([
      'Member',
      'OutboxMessage',
      'Person',
      'SavedFilter',
      'SignInFailure',
    ]);
    const before = await bookFaults(service);
    expect(await eraseMember(one.ctx(), { accountId: one.accountId, memberId: gone.id })).toEqual({
      personErased: true,
    });
    expect(await tablesHolding(service, 'zqpartiezq', personId as string)).toEqual([]);
    expect(await service.db.member.findUnique({ where: { id: gone.id } })).toMatchObject({
      name: ERASED_NAME,
      email: null,
      personId: null,
      status: 'REMOVED',
    });
    expect(await service.db.developerKey.count({ where: { memberId: gone.id } })).toBe(0);
    expect(await bookFaults(service)).toEqual(before);
    const said = await service.db.auditEntry.findFirst({
      where: { action: 'member.erased', subjectId: gone.id },
    });
    expect(said?.data).toEqual({ keys: 1, applications: 0, personErased: true });
  });

  test('takes nothing from the same person in another account, nor from anybody else; oneself and the last founder stay', async () => {
    const one = await populated(service, 'ZQICIZQ');
    const other = await populated(service, 'ZQLABASZQ');
    const here = await makeMember(service, one.accountId, { role: 'MEMBER' });
    const { personId: theirs } = await service.db.member.findUniqueOrThrow({
      where: { id: other.actor.memberId },
    });
    await service.db.member.update({ where: { id: here.id }, data: { personId: theirs } });
    const before = await rowsOf(service, other);
    expect(await eraseMember(one.ctx(), { accountId: one.accountId, memberId: here.id })).toEqual({
      personErased: false,
    });
    expect(await rowsOf(service, other)).toBe(before);
    expect(await service.db.person.count({ where: { id: theirs as string } })).toBe(1);
    const self = { accountId: one.accountId, memberId: one.actor.memberId };
    await expect(eraseMember(one.ctx(), self)).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      eraseMember(one.ctx(), { accountId: other.accountId, memberId: other.actor.memberId }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('somebody who was removed', () => {
  test('loses the name that stayed on demand, and is forgotten 30 days after their last visit unless they are invited somewhere', async () => {
    const one = await populated(service, 'ZQRETIREZQ');
    const { accountId } = one;
    const gone = await makeMember(service, accountId, { role: 'MEMBER', name: 'Paul ZQPARTIPAULZQ' });
    const { personId } = await service.db.member.findUniqueOrThrow({ where: { id: gone.id } });
    await service.db.person.update({
      where: { id: personId as string },
      data: { email: 'zqpartipaulzq@exemple.test' },
    });
    await removeMember(one.ctx(), { accountId, memberId: gone.id });
    expect((await listRemovedMembers(one.ctx())).map(({ id }) => id)).toEqual([gone.id]);
    await eraseMember(one.ctx(), { accountId, memberId: gone.id });
    expect(await listRemovedMembers(one.ctx())).toEqual([]);
    expect(await tablesHolding(service, 'zqpartipaulzq')).toEqual(['Person']);
    await eraseOrphanPersons(one.night(29));
    const invited = await makeMember(service, one.accountId, { role: 'MEMBER' });
    await service.db.member.update({
      where: { id: invited.id },
      data: { email: 'zqpartipaulzq@exemple.test', invitationEndsAt: new Date(Date.now() + 40 * DAY_MS) },
    });
    await eraseOrphanPersons(one.night(31));
    expect(await service.db.person.count({ where: { id: personId as string } })).toBe(1);
    const others = await service.db.person.count();
    // Nor does one keep them that is over.
    await service.db.member.update({
      where: { id: invited.id },
      data: { invitationEndsAt: new Date(Date.now() + 30 * DAY_MS) },
    });
    expect(await eraseOrphanPersons(one.night(31))).toBe(1);
    await service.db.member.update({ where: { id: invited.id }, data: { email: null } });
    expect(await tablesHolding(service, 'zqpartipaulzq')).toEqual([]);
    expect(await service.db.person.count()).toBe(others - 1);
  });
});

test('somebody who cannot be forgotten for now keeps nobody after them remembered', async () => {
  const stray = (days: number) => {
    const id = createId('person');
    const createdAt = new Date(Date.now() - days * DAY_MS);
    return service.db.person.create({ data: { id, email: `${id}@exemple.test`, createdAt } });
  };
  const [held, next] = [await stray(60), await stray(50)];
  const night = testContext(service, { type: 'system', job: 'retention' } as const);
  const holder = await service.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM "Person" WHERE "id" = $1 FOR UPDATE', [held.id]);
    await expect(eraseOrphanPersons({ ...night, lockWaitMs: 100 })).rejects.toThrow();
    const left = await service.db.person.findMany({ where: { id: { in: [held.id, next.id] } } });
    expect(left.map(({ id }) => id)).toEqual([held.id]);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  expect(await eraseOrphanPersons(night)).toBe(1);
});
