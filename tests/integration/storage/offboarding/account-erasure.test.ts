import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport } from '#lib/storage/offboarding/run-export.ts';
import { makeAccount, makeMember } from '#tests/factories/account.ts';
import { DAY_MS } from '#tests/factories/files/files.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { explainedQueries } from '#tests/factories/statements/explained-queries.ts';
import { tablesHolding } from '#tests/factories/watching/byte-search.ts';
import { useTestService } from '#tests/setup/service.ts';
import { rowsOf, tablesOf } from './account-rows.ts';
import { populated } from './populated.ts';

const service = useTestService({ poolMax: 8 });

/** What the erasure of an account leaves: its figures, the rows of the journal that they point at, and that it was erased. */
const LEFT_BY_ERASURE: ReadonlySet<string> = new Set([
  'AuditEntry',
  'Budget',
  'BudgetLine',
  'Generation',
  'LedgerLine',
  'SpendMonth',
  'Wallet',
]);

describe('a closed account', () => {
  test('comes back whole within 30 days; after them the night leaves no byte of it but its lines, and another account loses nothing', async () => {
    const one = await populated(service, 'ZQFERMEZQ');
    const other = await populated(service, 'ZQRESTEZQ', one.store);
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await expect(closeAccount(one.ctx(), { accountId, name: 'Autre' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(closeAccount(other.ctx(), { accountId, name })).rejects.toMatchObject({ code: 'forbidden' });
    await closeAccount(one.ctx(), { accountId, name });
    expect(await eraseClosed(one.night(29.99))).toBe(0);
    await reopenAccount(one.ctx(29.99), { accountId });
    expect(await eraseClosed(one.night(31))).toBe(0);

    // What waits in the bin does not wait longer than the account.
    const binned = await service.db.upload.updateMany({
      where: { accountId },
      data: { deletedAt: new Date(), deletedBy: 'member', binnedBy: one.actor.memberId },
    });
    expect(binned.count).toBe(1);
    // An avatar of the former application, with bytes of its own.
    const own = 'avatars/visage-zqfermezq.png';
    await one.store.put(own, Buffer.from('visage'), { contentType: 'image/png' });
    await service.db.avatar.updateMany({ where: { accountId }, data: { pathname: own } });
    // And a signed document of it, in none of our folders.
    const signed = 'consentements/zqfermezq.pdf';
    await one.store.put(signed, Buffer.from('signé'), { contentType: 'application/pdf' });
    await service.db.consent.create({
      data: {
        id: createId('consent'),
        accountId,
        memberId: one.actor.memberId,
        pathname: signed,
        voiceId: 'voice',
        personName: 'ZQFERMEZQ',
        signedAt: new Date(),
        createdAt: new Date(),
      },
    });
    await closeAccount(one.ctx(), { accountId, name });
    const lines = () =>
      service.db.ledgerLine.findMany({
        where: { accountId },
        orderBy: { id: 'asc' },
        select: { id: true, amountMicros: true, heldMicros: true, kind: true, at: true, position: true },
      });
    const [before, theirs, faults] = [await lines(), await rowsOf(service, other), await bookFaults(service)];
    const files = [...one.store.files.keys()].filter((path) => path.includes('ZQRESTEZQ')).sort();
    // It has a row in every table that names an account: what is forgotten is told by its table, words in it or not.
    const bare = (await tablesOf(service, accountId)).filter(([, held]) => held === 0);
    expect(bare).toEqual([]);
    expect(await eraseClosed(one.night(30.01))).toBe(1);
    const left = (await tablesOf(service, accountId)).filter(
      ([table, held]) => held > 0 && !LEFT_BY_ERASURE.has(table),
    );
    expect(left).toEqual([]);
    expect(await tablesHolding(service, 'zqfermezq')).toEqual([]);
    expect([...one.store.files.keys()].sort()).toEqual(files);
    expect(await lines()).toEqual(before);
    expect(await bookFaults(service)).toEqual(faults);
    expect(await rowsOf(service, other)).toBe(theirs);
    expect(await service.db.account.findUnique({ where: { id: accountId } })).toMatchObject({
      name: 'Compte effacé',
    });
    expect(await service.db.member.count({ where: { accountId } })).toBe(0);
    const said = await service.db.auditEntry.findMany({ where: { accountId } });
    expect(said.map(({ action }) => action)).toEqual(['account.erased']);
    await expect(
      reopenAccount({ ...one.ctx(), actor: { type: 'admin' } }, { accountId }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await eraseClosed(one.night(60))).toBe(0);
  });

  test('of which an export is still being made leaves no part of it: whoever is at it writes nothing more', async () => {
    const one = await populated(service, 'ZQENCOREZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const { exportId } = await startExport(one.ctx(29.9));
    const slice = (days: number) => runExport(one.ctx(days), { exportId, sliceMs: 0, partBytes: 300 });
    expect(await slice(29.9)).toBe(true);
    const parts = () => [...one.store.files.keys()].filter((path) => path.startsWith('exports/'));
    expect(parts()).not.toEqual([]);
    // Its folder was emptied by now, and its rows go last.
    const { list } = one.store;
    let isMore: boolean | undefined;
    one.store.list = async (asked) => {
      if (asked.prefix.startsWith('generations/')) isMore ??= await slice(30.1);
      return list(asked);
    };
    expect(await eraseClosed(one.night(30.1))).toBe(1);
    expect(isMore).toBe(false);
    expect(parts()).toEqual([]);
  });

  test('says so by mail to its founders and to the operator’s when it closes, opens again and is gone, and to nobody else', async () => {
    const one = await populated(service, 'ZQCOURRIERZQ');
    const { accountId } = one;
    const operator = await makeAccount(service, { operator: true });
    const colleague = await makeMember(service, accountId, { role: 'MEMBER' });
    const invited = await makeMember(service, accountId, { role: 'FOUNDER' });
    await service.db.member.update({
      where: { id: invited.id },
      data: { status: 'INVITED', personId: null },
    });
    const away = await makeMember(service, accountId, { role: 'FOUNDER' });
    await service.db.member.update({ where: { id: away.id }, data: { status: 'SUSPENDED' } });
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    const founders = await service.db.member.findMany({
      where: { accountId, role: 'FOUNDER', status: 'ACTIVE' },
      select: { email: true },
    });
    const own = founders.flatMap(({ email }) => email ?? []);
    const everybody = [...own, operator.member.email ?? ''].sort();
    const said: Mail[] = [];
    const post = (mail: Mail) => said.push(mail);
    const take = () => said.splice(0).sort((a, b) => (a.to < b.to ? -1 : 1));
    await closeAccount(one.ctx(), { accountId, name }, post);
    const closed = take();
    expect(closed.map(({ to }) => to)).toEqual(everybody);
    for (const { subject, to, text } of closed) {
      expect(subject).toContain('est fermé');
      expect(text).toContain(own.includes(to) ? 'rouvrez-le d’ici là dans' : 'onglet Comptes');
    }
    await reopenAccount(one.ctx(), { accountId }, post);
    expect(take().map(({ to, subject }) => [to, subject.includes('est rouvert')])).toEqual(
      everybody.map((to) => [to, true]),
    );
    await closeAccount(one.ctx(), { accountId, name });
    expect(await eraseClosed(one.night(31), post)).toBe(1);
    expect(take().map(({ to, subject }) => [to, subject.includes('est effacé')])).toEqual(
      everybody.map((to) => [to, true]),
    );
    expect(everybody).not.toContain(colleague.email);
    expect(everybody).not.toContain(invited.email);
    expect(await tablesHolding(service, 'zqcourrierzq')).toEqual([]);
  });

  test('at which two nights are at work at once is erased, said and mailed once, and fails neither of them', async () => {
    const one = await populated(service, 'ZQDEUXNUITSZQ');
    const { accountId } = one;
    const { name } = await service.db.account.findUniqueOrThrow({ where: { id: accountId } });
    await closeAccount(one.ctx(), { accountId, name });
    const said: Mail[] = [];
    const post = (mail: Mail) => said.push(mail);
    const { list } = one.store;
    let meanwhile: number | undefined;
    one.store.list = async (asked) => {
      if (asked.prefix.startsWith('generations/') && meanwhile === undefined) {
        meanwhile = -1;
        meanwhile = await eraseClosed(one.night(31), post);
      }
      return list(asked);
    };
    expect(await eraseClosed(one.night(31), post)).toBe(0);
    expect(meanwhile).toBe(1);
    const entries = await service.db.auditEntry.findMany({ where: { accountId } });
    expect(entries.map(({ action }) => action)).toEqual(['account.erased']);
    expect(said.length).toBeGreaterThan(0);
    expect(new Set(said.map(({ to }) => to)).size).toBe(said.length);
    expect(await tablesHolding(service, 'zqdeuxnuitszq')).toEqual([]);
  });

  test('is erased by nobody before its day: the database refuses the application, whatever it sets', async () => {
    const one = await populated(service, 'ZQAVANTZQ');
    const { accountId } = one;
    const erase = sql`select erase_account(${accountId}, now())`;
    await expect(erase.execute(service.kysely)).rejects.toThrow('is not being erased');
    await expect(
      service.db.account.update({
        where: { id: accountId },
        data: { closedAt: new Date(), erasingAt: new Date(Date.now() + 29 * DAY_MS) },
      }),
    ).rejects.toThrow();
    expect(await service.db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({
      closedAt: null,
      erasingAt: null,
    });
    await expect(
      service.kysely.transaction().execute(async (tx) => {
        await sql`select set_config('atelier.erasing', ${accountId}, true)`.execute(tx);
        await tx.deleteFrom('AuditEntry').where('accountId', '=', accountId).execute();
      }),
    ).rejects.toThrow(/append-only|permission denied/);
    expect(await service.db.auditEntry.count({ where: { accountId } })).toBeGreaterThan(0);
  });

  test('is looked for each night by the index of those that are closed, however many are not', async () => {
    const one = await populated(service, 'ZQINDEXZQ');
    const of = ({ text }: { text: string }) => /^(update|select "id" from) "Account"/.test(text);
    const { kysely, plans } = explainedQueries(service, { of, off: ['enable_seqscan'] });
    // No time for any of them: what an earlier test left stays.
    await eraseClosed({ ...one.night(), kysely }, undefined, new TimeLimit(0, () => 0));
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toContain('"Account_closed"');
  });
});
