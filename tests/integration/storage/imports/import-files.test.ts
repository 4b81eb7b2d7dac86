import { describe, expect, it } from 'vitest';
import type { ServiceError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { importFiles } from '#lib/storage/imports/import-files.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import { readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { makeMember } from '#tests/factories/account.ts';
import { auditsOf, DAY_MS, type FilesScene, filesScene } from '#tests/factories/files/files.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

const LINE = {
  path: '2023/bougie.png',
  type: 'image',
  contentType: 'image/png',
  bytes: 48_211,
  createdAt: '2023-11-02T08:00:00Z',
};
const VARIANT = { ...LINE, path: '2023/bougie-2.png', bytes: 47_005, ancestor: LINE.path };
const manifest = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

function send(s: FilesScene, text: string, more: { dryRun?: boolean; accountId?: string } = {}) {
  return importFiles({ ...s.ctx, actor: { type: 'admin' } }, { ...s.owner, manifest: text, ...more });
}

const rowsOf = (s: FilesScene) =>
  service.db.asset.findMany({ where: { accountId: s.owner.accountId }, orderBy: { pathname: 'asc' } });

const faultsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: ServiceError) =>
      (error.options.problems ?? []).map(({ field, message }) => `${field}: ${message}`),
  );

describe('files of the former application', () => {
  it('become rows in the account’s own folder of names, with their state, dates, author and ancestors; audited once', async () => {
    const s = await filesScene(service);
    const left = await makeMember(service, s.owner.accountId);
    await service.db.member.update({ where: { id: left.id }, data: { status: 'REMOVED' } });
    const author = {
      ...VARIANT,
      member: left.email.toUpperCase(),
      state: 'approved',
      reviewedAt: LINE.createdAt,
    };
    // The variant comes first: the order of lines says nothing.
    const report = await send(s, `\uFEFF${manifest(author, LINE)}\n\n`);
    expect(report).toEqual({ files: 2, created: 2, unchanged: 0, bytes: 95_216, dryRun: false });
    const [variant, first] = await rowsOf(s);
    expect(first).toMatchObject({
      pathname: `imported/${s.owner.accountId}/2023/bougie.png`,
      imported: true,
      generationId: null,
      state: 'GENERATED',
      memberId: s.owner.memberId,
      productId: 'libre',
      bytes: 48_211n,
      createdAt: new Date(LINE.createdAt),
    });
    expect(variant).toMatchObject({ ancestorId: first?.id, memberId: left.id, state: 'APPROVED' });
    expect((await auditsOf(s, 'asset.imported')).map(({ data }) => data)).toEqual([
      {
        files: 2,
        created: 2,
        bytes: 95_216,
        memberId: s.owner.memberId,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it('take no room, and retention keeps them and their bytes, whatever their age', async () => {
    const s = await filesScene(service);
    await send(s, manifest(LINE, VARIANT));
    expect(await readStorageUse(s.ctx)).toMatchObject({ storedBytes: 0n });
    s.clock.advance(400 * DAY_MS);
    expect(await runRetention(s.cron)).toMatchObject({
      assets: { expired: 0, kept: { 'foreign-store': 2 } },
    });
  });

  it('are imported once: again, only what is new is written, and what was decided since stays', async () => {
    const s = await filesScene(service);
    await send(s, manifest(LINE));
    await service.db.asset.updateMany({
      where: { accountId: s.owner.accountId },
      data: { state: 'DELIVERED' },
    });
    expect(await send(s, manifest(LINE, VARIANT))).toMatchObject({ created: 1, unchanged: 1 });
    expect(await send(s, manifest(LINE, VARIANT))).toMatchObject({ created: 0, unchanged: 2 });
    expect((await rowsOf(s)).map(({ state }) => state)).toEqual(['GENERATED', 'DELIVERED']);
    expect(await auditsOf(s, 'asset.imported')).toHaveLength(2);
    const many = manifest(...Array.from({ length: 300 }, (_, n) => ({ ...LINE, path: `n/${n}.png` })));
    const all = await Promise.all(Array.from({ length: 5 }, () => send(s, many)));
    expect(all.map(({ created }) => created).sort()).toEqual([0, 0, 0, 0, 300]);
    const made: number[] = [];
    const other = async () => made.push((await send(s, manifest({ ...LINE, path: 'autre.png' }))).created);
    expect(await oneBeforeAnother(service, other, other)).toEqual(['done', 'done']);
    expect(made).toEqual([1, 0]);
    expect(await faultsOf(send(s, manifest({ ...LINE, bytes: 1 })))).toEqual([
      'ligne 1, bytes: Ce fichier a déjà été importé avec une autre valeur.',
    ]);
  });

  it('are all refused for one fault, told by line and field; a dry run says the same and writes nothing', async () => {
    const s = await filesScene(service);
    const faulty = [
      JSON.stringify(LINE),
      '{"path":',
      '[]',
      JSON.stringify({ ...LINE, path: '../../generations/x.png', colour: 'red' }),
      JSON.stringify({ ...LINE, path: 'b.png', type: 'video', product: 'lumen-bougies' }),
      JSON.stringify({ ...LINE, path: 'c.png', createdAt: '2031-01-01T00:00:00Z', bytes: -1 }),
      JSON.stringify({ ...LINE, path: 'd.png', createdAt: '2031-01-01T00:00:00Z' }),
      JSON.stringify(LINE),
      JSON.stringify({ ...LINE, path: 'e.png', ancestor: 'f.png' }),
      JSON.stringify({ ...LINE, path: 'f.png', ancestor: 'e.png' }),
      JSON.stringify({ ...LINE, path: 'g\u0000.png' }),
    ].join('\n');
    for (const dryRun of [true, false])
      expect((await faultsOf(send(s, faulty, { dryRun }))).map((fault) => fault.split(':')[0])).toEqual([
        'ligne 2',
        'ligne 3',
        'ligne 4, path',
        'ligne 4, colour',
        'ligne 5, contentType',
        'ligne 6, bytes',
        'ligne 7, createdAt',
        'ligne 8, path',
        'ligne 11',
        'ligne 9, ancestor',
        'ligne 10, ancestor',
      ]);
    const unknown = manifest(
      { ...LINE, path: 'h.png', product: 'lumen-bougies' },
      { ...LINE, path: 'i.png', member: 'personne@exemple.fr', ancestor: 'nulle-part.png' },
    );
    expect(await faultsOf(send(s, unknown))).toEqual([
      'ligne 1, product: Ce produit n’existe pas dans ce compte.',
      'ligne 2, member: Aucun membre de ce compte n’a cette adresse.',
      'ligne 2, ancestor: Ce chemin n’est ni dans le manifeste, ni déjà importé.',
    ]);
    expect(await send(s, manifest(LINE), { dryRun: true })).toMatchObject({ created: 1, dryRun: true });
    expect(await rowsOf(s)).toEqual([]);
    expect(await auditsOf(s, 'asset.imported')).toEqual([]);
  });

  it('go to no member by a blank address, which who was removed has; and to each of those when they are named', async () => {
    const s = await filesScene(service);
    const { accountId } = s.owner;
    const removed = [await makeMember(service, accountId), await makeMember(service, accountId)];
    await service.db.member.updateMany({
      where: { id: { in: removed.map(({ id }) => id) } },
      data: { status: 'REMOVED', email: null, personId: null },
    });
    expect(await faultsOf(send(s, manifest({ ...LINE, member: ' ' })))).toEqual([
      'ligne 1, member: Un texte de 1 à 320 caractères.',
    ]);
    for (const [at, { id: memberId }] of removed.entries())
      await importFiles(
        { ...s.ctx, actor: { type: 'admin' } },
        { accountId, memberId, manifest: manifest({ ...LINE, path: `${at}.png` }) },
      );
    expect((await rowsOf(s)).map(({ memberId }) => memberId)).toEqual(removed.map(({ id }) => id));
  });

  it('leave nothing behind when the writing fails half way', async () => {
    const s = await filesScene(service);
    // A path that is taken in the database and not by an import: the second batch fails.
    const lines = Array.from({ length: 1_001 }, (_, n) => ({ ...LINE, path: `${n}.png` }));
    await service.db.asset.create({
      data: {
        id: 'ast_taken',
        ...s.owner,
        productId: 'libre',
        type: 'IMAGE',
        contentType: 'image/png',
        bytes: 1n,
        pathname: `imported/${s.owner.accountId}/1000.png`,
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    });
    await expect(send(s, manifest(...lines))).rejects.toThrow();
    expect((await rowsOf(s)).map(({ id }) => id)).toEqual(['ast_taken']);
    expect(await auditsOf(s, 'asset.imported')).toEqual([]);
  });

  it('of two accounts may have one path, and neither sees the other’s; members may not import', async () => {
    const [s, stranger] = [await filesScene(service), await filesScene(service)];
    await send(s, manifest(LINE));
    expect(await send(stranger, manifest(LINE))).toMatchObject({ created: 1 });
    expect(
      await faultsOf(send(stranger, manifest({ ...LINE, path: 'z.png', ancestor: '2023/autre.png' }))),
    ).toHaveLength(1);
    await expect(send(s, manifest(LINE), { accountId: stranger.owner.accountId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(importFiles(s.ctx, { ...s.owner, manifest: manifest(LINE) })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('go to nobody in a closed account; an address is read in any case, a date that is another or to come is refused', async () => {
    const s = await filesScene(service);
    const author = await makeMember(service, s.owner.accountId);
    const email = `Claire.${author.id}@Exemple.test`;
    await service.db.member.update({ where: { id: author.id }, data: { email } });
    await send(s, manifest({ ...LINE, member: email.toLowerCase() }));
    expect((await rowsOf(s)).map(({ memberId }) => memberId)).toEqual([author.id]);
    const other = { ...LINE, createdAt: '2023-11-02T08:00:01Z' };
    const late = { ...LINE, path: 'b.png', reviewedAt: '2031-01-01T00:00:00Z' };
    expect(await faultsOf(send(s, manifest(other)))).toEqual([
      'ligne 1, createdAt: Ce fichier a déjà été importé avec une autre valeur.',
    ]);
    expect(await faultsOf(send(s, manifest(late)))).toEqual(['ligne 1, reviewedAt: Cette date est à venir.']);
    await service.db.account.update({
      where: { id: s.owner.accountId },
      data: { closedAt: s.clock.now() },
    });
    await expect(send(s, manifest({ ...LINE, path: 'c.png' }))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are imported by the thousand in one gesture: more than one statement of the database takes', async () => {
    const s = await filesScene(service);
    const lines = Array.from({ length: 4_500 }, (_, n) => ({ ...LINE, path: `n/${n}.png` }));
    expect(await send(s, manifest(...lines))).toMatchObject({ created: 4_500 });
    expect(await service.db.asset.count({ where: { accountId: s.owner.accountId } })).toBe(4_500);
  });

  // Last: retention counts the files of every account.
  it('keep their date, whichever it is: one from before 1970 has an identifier like the others', async () => {
    const s = await filesScene(service);
    // The zero of a film's clock.
    const old = { ...VARIANT, createdAt: '1904-01-01T00:00:00Z', ancestor: null };
    await send(s, manifest(LINE, old));
    const rows = await rowsOf(s);
    expect(rows.map(({ createdAt }) => createdAt)).toEqual([old, LINE].map((one) => new Date(one.createdAt)));
    for (const { id } of rows) expect(isId('asset', id)).toBe(true);
  });
});
