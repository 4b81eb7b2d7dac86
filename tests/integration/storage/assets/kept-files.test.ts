import { describe, expect, it } from 'vitest';
import type { AssetState } from '#lib/db/generated/prisma/client.ts';
import { deleteAvatar, listAvatars, saveAvatar } from '#lib/storage/assets/avatars.ts';
import {
  keepCaptureRush,
  listCaptureRushes,
  releaseCaptureRush,
} from '#lib/storage/assets/capture-rushes.ts';
import {
  attachToConcept,
  attachToNewConcept,
  deleteConcept,
  detachFromConcept,
  listConcepts,
} from '#lib/storage/assets/concepts.ts';
import { addLesson, deleteLesson, listLessons } from '#lib/storage/assets/lessons.ts';
import type { ListPart } from '#lib/storage/assets/older-than.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { readLineage } from '#lib/storage/assets/read-lineage.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { canReview, REVIEWS, type Review, reviewsOf } from '#lib/storage/file-states.ts';
import { type FileFacts, factsSince, fileRetention, keepReason } from '#lib/storage/keep-reason.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { addAsset, addGeneration, addUpload, auditsOf, filesScene } from '#tests/factories/files/files.ts';
import { explainedQueries, rowsReadFor } from '#tests/factories/statements/explained-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

describe('quality control', () => {
  const table: [AssetState, Review, boolean][] = [
    ['GENERATED', 'approve', true],
    ['GENERATED', 'reject', true],
    ['GENERATED', 'deliver', false],
    ['REJECTED', 'approve', true],
    ['REJECTED', 'reject', false],
    ['REJECTED', 'deliver', false],
    ['APPROVED', 'approve', false],
    ['APPROVED', 'reject', true],
    ['APPROVED', 'deliver', true],
    ['DELIVERED', 'approve', false],
    ['DELIVERED', 'reject', false],
    ['DELIVERED', 'deliver', false],
  ];
  it.each(table)('%s, %s: allowed %s, in the rule and in the verb', async (state, review, allowed) => {
    expect(canReview(state, review)).toBe(allowed);
    expect(reviewsOf(state).includes(review)).toBe(allowed);
    const s = await filesScene(service);
    const { id } = await addAsset(s, { state });
    const isSame = REVIEWS[review] === state;
    const done = await reviewAsset(s.ctx, { assetId: id, review, reason: 'Hors charte' }).catch(
      ({ code, options }) => ({ code, detail: options.detail }),
    );
    expect(done).toEqual(
      allowed || isSame ? { id, state: REVIEWS[review] } : { code: 'conflict', detail: 'state' },
    );
    const row = await service.db.asset.findUniqueOrThrow({ where: { id } });
    expect(row.state).toBe(allowed || isSame ? REVIEWS[review] : state);
    expect(row.reviewedBy).toBe(allowed ? s.owner.memberId : null);
    const entries = await auditsOf(s, `asset.${REVIEWS[review].toLowerCase()}`);
    expect(entries.length).toBe(allowed ? 1 : 0);
  });

  it('ends in one state when members decide at once', async () => {
    const s = await filesScene(service);
    const { id } = await addAsset(s, { state: 'APPROVED' });
    const answers = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        reviewAsset(s.ctx, { assetId: id, review: n % 2 ? 'reject' : 'deliver', reason: 'Trop sombre' }),
      ),
    );
    const { state } = await service.db.asset.findUniqueOrThrow({ where: { id } });
    expect(['REJECTED', 'DELIVERED']).toContain(state);
    // Neither decision leads to the other: who decides otherwise than the first is told so.
    const told = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.state : answer.reason.code,
    );
    expect(told.toSorted()).toEqual([...Array(6).fill(state), ...Array(6).fill('conflict')]);
  });
});

describe('what members keep', () => {
  it('is invisible and out of reach to another account, and to a member without the permission', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s);
    const upload = await addUpload(s);
    const avatar = await saveAvatar(s.ctx, { assetId: asset.id, name: 'Camille' });
    const concept = await addConcept(s.ctx, { productId: 'libre', name: 'Automne' });
    const lesson = await addLesson(s.ctx, { assetId: asset.id, text: 'Moins de contraste.' });
    const rush = await keepCaptureRush(s.ctx, { uploadId: upload.id, title: 'Matin' });
    const attempts = (ctx: typeof s.ctx) => [
      reviewAsset(ctx, { assetId: asset.id, review: 'approve' }),
      saveAvatar(ctx, { assetId: asset.id, name: 'X' }),
      deleteAvatar(ctx, { avatarId: avatar.id }),
      attachToConcept(ctx, { conceptId: concept.id, assetId: asset.id }),
      attachToNewConcept(ctx, { productId: 'libre', name: 'X', assetId: asset.id }),
      deleteConcept(ctx, { conceptId: concept.id }),
      addLesson(ctx, { assetId: asset.id, text: 'X' }),
      deleteLesson(ctx, { lessonId: lesson.id }),
      keepCaptureRush(ctx, { uploadId: upload.id, title: 'X' }),
      releaseCaptureRush(ctx, { rushId: rush.id }),
    ];
    const stranger = await filesScene(service);
    const codes = async (ctx: typeof s.ctx) =>
      (await Promise.allSettled(attempts(ctx))).map((one) => one.status === 'rejected' && one.reason.code);
    expect(new Set(await codes(stranger.ctx))).toEqual(new Set(['not_found']));
    await expect(readLineage(stranger.ctx, { generationId: asset.generationId ?? '' })).rejects.toMatchObject(
      { code: 'not_found' },
    );
    expect(await readFileRetention(stranger.ctx, { assetIds: [asset.id] })).toEqual([]);
    expect(await listAvatars(stranger.ctx)).toEqual([]);
    const reader = await makeMember(service, s.owner.accountId, { role: 'MEMBER', permissions: [] });
    expect(new Set(await codes({ ...s.ctx, actor: memberActor(reader) }))).toEqual(new Set(['forbidden']));
  });

  it('is asked for with its account: of another one, neither the file nor what runs there is read', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s);
    const reference = { ref: asset.id, pathname: asset.pathname };
    await addGeneration(s, { state: 'SUBMITTED', references: { roles: { startImage: reference } } });
    const stranger = await filesScene(service);
    const own = await addAsset(stranger);
    const { kysely, plans } = explainedQueries(service, { of: ({ label }) => label === 'storage.facts' });
    const wanted = { assetIds: [asset.id, own.id] };
    const told = await readFileRetention({ ...stranger.ctx, kysely }, wanted);
    expect(told.map(({ assetId }) => assetId)).toEqual([own.id]);
    expect(rowsReadFor(plans[0], { cte: 'wanted', table: 'Asset', alias: 'a' })).toBe(1);
    expect(rowsReadFor(plans[0], { cte: 'in_flight', table: 'Generation', alias: 'g' })).toBe(0);
    expect((await readFileRetention(s.ctx, { assetIds: [asset.id] }))[0]?.lasting).toBe('in-flight');
  });

  it('is an avatar once per image, audited, and deleting it deletes no file and debits nothing', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s);
    const [first, second] = await Promise.all([
      saveAvatar(s.ctx, { assetId: asset.id, name: 'Camille' }),
      saveAvatar(s.ctx, { assetId: asset.id, name: 'Camille' }),
    ]);
    expect(second.id).toBe(first.id);
    const renamed = await saveAvatar(s.ctx, { assetId: asset.id, name: 'Agnès' });
    expect(renamed).toEqual({ ...first, name: 'Camille' });
    expect(await listAvatars(s.ctx)).toMatchObject([{ id: first.id, pathname: asset.pathname }]);
    await deleteAvatar(s.ctx, { avatarId: first.id });
    await expect(deleteAvatar(s.ctx, { avatarId: first.id })).rejects.toMatchObject({ code: 'not_found' });
    expect(s.store.files.has(asset.pathname)).toBe(true);
    expect(await service.db.ledgerLine.count({ where: { accountId: s.owner.accountId } })).toBe(0);
    for (const action of ['avatar.saved', 'avatar.deleted'])
      expect((await auditsOf(s, action)).map((entry) => entry.data)).toEqual([{ assetId: asset.id }]);
    const sound = await addAsset(s, { type: 'AUDIO' });
    await expect(saveAvatar(s.ctx, { assetId: sound.id, name: 'X' })).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(saveAvatar(s.ctx, { assetId: asset.id, name: '  ' })).rejects.toMatchObject({
      code: 'invalid',
      options: { problems: [{ field: 'name' }] },
    });
  });

  it('is a concept that files join and leave; a deleted one takes no file any more, and keeps those it has while it waits in the bin', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s, { ageDays: 40 });
    const why = async () => (await readFileRetention(s.ctx, { assetIds: [asset.id] }))[0]?.keptBecause;
    const [a, b] = [
      await addConcept(s.ctx, { productId: 'libre', name: 'A', note: 'Tons chauds' }),
      await addConcept(s.ctx, { productId: 'libre', name: 'B' }),
    ];
    expect(await why()).toBeNull();
    await attachToConcept(s.ctx, { conceptId: a.id, assetId: asset.id });
    await attachToConcept(s.ctx, { conceptId: a.id, assetId: asset.id });
    await attachToConcept(s.ctx, { conceptId: b.id, assetId: asset.id });
    expect(await why()).toBe('concept');
    expect((await listConcepts(s.ctx)).map(({ name, files }) => [name, files])).toEqual([
      ['B', 1],
      ['A', 0],
    ]);
    await deleteConcept(s.ctx, { conceptId: b.id });
    // It would come back from the bin with what it gathered.
    expect(await why()).toBe('concept');
    await attachToConcept(s.ctx, { conceptId: a.id, assetId: asset.id });
    await detachFromConcept(s.ctx, { assetId: asset.id });
    await detachFromConcept(s.ctx, { assetId: asset.id });
    expect(await why()).toBeNull();
    expect((await auditsOf(s, 'concept.attached')).length).toBe(3);
    expect((await auditsOf(s, 'concept.detached')).length).toBe(1);
    await expect(attachToConcept(s.ctx, { conceptId: b.id, assetId: asset.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    const unknown = { assetId: asset.id, productId: 'inconnu', name: 'C' };
    await expect(attachToNewConcept(s.ctx, unknown)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('stays in the concept that a colleague attached it to meanwhile, for whoever attaches it or takes it out on a page that showed none, or another', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s);
    const [a, b] = [
      await addConcept(s.ctx, { productId: 'libre', name: 'Été' }),
      await addConcept(s.ctx, { productId: 'libre', name: 'Hiver' }),
    ];
    const file = { assetId: asset.id };
    const none = { conceptId: '' };
    const isIn = async () =>
      (await service.db.asset.findUniqueOrThrow({ where: { id: asset.id } })).conceptId;
    await attachToConcept(s.ctx, { ...file, conceptId: a.id, shown: none });
    const refused = {
      code: 'conflict',
      message: expect.stringContaining('«\u00a0Été\u00a0» entre-temps\u00a0: rien n’a été enregistré.'),
      options: { problems: [{ field: 'conceptId' }] },
    };
    for (const late of [
      () => attachToConcept(s.ctx, { ...file, conceptId: b.id, shown: none }),
      () => attachToNewConcept(s.ctx, { ...file, productId: 'libre', name: 'Automne', shown: none }),
      () => detachFromConcept(s.ctx, { ...file, shown: { conceptId: b.id } }),
    ])
      await expect(late()).rejects.toMatchObject(refused);
    expect(await isIn()).toBe(a.id);
    expect(await listConcepts(s.ctx)).toHaveLength(2);
    // Sent again after a lost answer, it is no conflict; nor is what is shown: one in the bin is shown as none.
    await attachToConcept(s.ctx, { ...file, conceptId: a.id, shown: none });
    await detachFromConcept(s.ctx, { ...file, shown: { conceptId: a.id } });
    expect(await isIn()).toBeNull();
    await attachToConcept(s.ctx, { ...file, conceptId: a.id, shown: none });
    await deleteConcept(s.ctx, { conceptId: a.id });
    await attachToConcept(s.ctx, { ...file, conceptId: b.id, shown: none });
    expect(await isIn()).toBe(b.id);
  });

  it('is a concept made for a file once, sent twice at once or again after a lost answer, and none for a file that is gone', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s);
    const sent = { assetId: asset.id, productId: 'libre', name: ' Automne ' };
    const [first, ...twice] = await Promise.all(
      [sent, sent, sent].map((input) => attachToNewConcept(s.ctx, input)),
    );
    expect(twice).toEqual([first, first]);
    expect(await attachToNewConcept(s.ctx, sent)).toEqual(first);
    expect(await listConcepts(s.ctx)).toMatchObject([{ id: first?.conceptId, name: 'Automne', files: 1 }]);
    for (const action of ['concept.created', 'concept.attached'])
      expect(await auditsOf(s, action)).toHaveLength(1);
    await expect(attachToNewConcept(s.ctx, { ...sent, assetId: 'ast_gone' })).rejects.toMatchObject({
      code: 'not_found',
    });
    // Another name is another concept; so is the same one once the first is in the bin.
    await attachToNewConcept(s.ctx, { ...sent, name: 'Hiver' });
    const { conceptId } = await attachToNewConcept(s.ctx, sent);
    expect(await listConcepts(s.ctx)).toHaveLength(3);
    await deleteConcept(s.ctx, { conceptId });
    expect((await attachToNewConcept(s.ctx, sent)).conceptId).not.toBe(conceptId);
  });

  it('is a concept listed with its own files counted by their index, and nobody else’s read', async () => {
    const [s, stranger] = [await filesScene(service), await filesScene(service)];
    for (const scene of [s, stranger])
      for (const name of ['Un', 'Deux']) {
        const { id: assetId } = await addAsset(scene);
        await attachToNewConcept(scene.ctx, { assetId, productId: 'libre', name });
        scene.clock.advance(1_000);
      }
    const of = ({ text }: { text: string }) => text.includes('from "Concept"');
    const { kysely, plans } = explainedQueries(service, { of, off: ['enable_seqscan', 'enable_bitmapscan'] });
    const listed = await listConcepts({ ...s.ctx, kysely }, { productId: 'libre' });
    expect(listed.map(({ name, files }) => [name, files])).toEqual([
      ['Deux', 1],
      ['Un', 1],
    ]);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toMatch(/"Asset_conceptId_idx" on "Asset" a \(actual rows=1(\.00)? loops=2\)/);
  });

  it('is a lesson or a rush, until it is let go', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s, { ageDays: 40 });
    const lesson = await addLesson(s.ctx, { assetId: asset.id, text: ' Moins de contraste. ' });
    expect(await listLessons(s.ctx)).toMatchObject([{ id: lesson.id, text: 'Moins de contraste.' }]);
    expect((await readFileRetention(s.ctx, { assetIds: [asset.id] }))[0]?.keptBecause).toBe('learning');
    await deleteLesson(s.ctx, { lessonId: lesson.id });
    expect((await readFileRetention(s.ctx, { assetIds: [asset.id] }))[0]?.keptBecause).toBeNull();
    const upload = await addUpload(s, { ageDays: 10 });
    const track = await addUpload(s, { kind: 'TRACK' });
    await expect(keepCaptureRush(s.ctx, { uploadId: track.id, title: 'X' })).rejects.toMatchObject({
      code: 'invalid',
    });
    const rush = await keepCaptureRush(s.ctx, { uploadId: upload.id, title: 'Matin' });
    expect(await keepCaptureRush(s.ctx, { uploadId: upload.id, title: 'Encore' })).toEqual(rush);
    expect(await listCaptureRushes(s.ctx)).toHaveLength(1);
    s.clock.advance(1_000);
    await releaseCaptureRush(s.ctx, { rushId: rush.id });
    expect(await listCaptureRushes(s.ctx)).toEqual([]);
    const row = await service.db.upload.findUniqueOrThrow({ where: { id: upload.id } });
    expect(row.touchedAt).toEqual(s.clock.now());
  });

  it('is a lesson once when it is sent again under its key, even at the same time, and not anew once it was forgotten', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s, {});
    const sent = { assetId: asset.id, text: 'Moins de contraste.', key: 'cle-de-la-lecon' };
    const [first, ...again] = await Promise.all([sent, sent, sent].map((input) => addLesson(s.ctx, input)));
    expect(again).toEqual([first, first]);
    expect(await listLessons(s.ctx)).toHaveLength(1);
    expect(await auditsOf(s, 'lesson.added')).toHaveLength(1);
    await expect(addLesson(s.ctx, { ...sent, text: 'Plus de contraste.' })).rejects.toMatchObject({
      code: 'conflict',
    });
    // The same words under another key are another lesson, and so is another file's under the same key.
    const other = await addAsset(s, {});
    await addLesson(s.ctx, { ...sent, key: 'une-autre-cle' });
    await addLesson(s.ctx, { ...sent, assetId: other.id });
    expect(await listLessons(s.ctx)).toHaveLength(3);
    // A colleague's key is another one.
    const colleague = await makeMember(service, s.owner.accountId);
    const theirs = await addLesson({ ...s.ctx, actor: memberActor(colleague) }, sent);
    expect(theirs.id).not.toBe(first?.id);
    await deleteLesson(s.ctx, { lessonId: theirs.id });
    await deleteLesson(s.ctx, { lessonId: first?.id ?? '' });
    await expect(addLesson(s.ctx, sent)).rejects.toMatchObject({ code: 'conflict' });
    expect(await listLessons(s.ctx)).toHaveLength(2);
  });

  it('is listed a part at a time, newest first: each once, and the row of a stranger names no part', async () => {
    const s = await filesScene(service);
    const asset = await addAsset(s, {});
    for (const text of ['un', 'deux', 'trois', 'quatre', 'cinq']) {
      await addConcept(s.ctx, { productId: 'libre', name: text });
      await addLesson(s.ctx, { assetId: asset.id, text });
      const { id: uploadId } = await addUpload(s, {});
      await keepCaptureRush(s.ctx, { uploadId, title: text });
      // Two of one instant are told apart by their identifier.
      if (text !== 'deux') s.clock.advance(1_000);
    }
    const stranger = await filesScene(service);
    const { id: strange } = await addConcept(stranger.ctx, { productId: 'libre', name: 'Ailleurs' });
    const lists: ((part: ListPart) => Promise<{ id: string }[]>)[] = [
      (part) => listConcepts(s.ctx, part),
      (part) => listLessons(s.ctx, part),
      (part) => listCaptureRushes(s.ctx, part),
    ];
    for (const list of lists) {
      const found: string[] = [];
      for (let before: string | undefined; ; ) {
        const part: { id: string }[] = await list({ before, limit: 2 });
        if (part.length === 0) break;
        found.push(...part.map(({ id }) => id));
        before = part.at(-1)?.id;
      }
      const whole = await list({});
      expect(whole.length).toBe(5);
      expect(found).toEqual(whole.map(({ id }) => id));
      expect(await list({ before: strange })).toEqual(whole);
    }
  });

  it('tells a lineage from any of its generations', async () => {
    const s = await filesScene(service);
    const root = await addGeneration(s, { ageDays: 5 });
    const left = await addGeneration(s, { ageDays: 4, ancestorId: root });
    const right = await addGeneration(s, { ageDays: 3, ancestorId: root });
    const leaf = await addGeneration(s, { ageDays: 2, ancestorId: left });
    const file = await addAsset(s, { generationId: leaf });
    const relations = async (generationId: string) =>
      (await readLineage(s.ctx, { generationId })).map((entry) => entry.relation);
    expect(await relations(root)).toEqual(['self', 'descendant', 'descendant', 'descendant']);
    expect(await relations(left)).toEqual(['ancestor', 'self', 'variant', 'descendant']);
    expect(await relations(right)).toEqual(['ancestor', 'variant', 'self', 'variant']);
    const [, , , last] = await readLineage(s.ctx, { generationId: root });
    expect(last).toMatchObject({ generationId: leaf, ancestorId: left, assetId: file.id });
  });
});

describe('the rule that keeps a file', () => {
  const NOW = new Date('2026-11-10T00:00:00Z');
  const facts = (more: Partial<FileFacts> = {}): FileFacts => ({
    ...factsSince(new Date('2026-10-01T00:00:00Z')),
    state: 'GENERATED',
    ...more,
  });

  it.each([
    [{}, null],
    [{ state: 'REJECTED' }, null],
    [{ since: new Date('2026-10-12T00:00:00Z') }, 'recent'],
    [{ since: new Date('2026-10-11T00:00:00.000Z') }, 'recent'],
    [{ since: new Date('2026-10-10T23:59:59.999Z') }, null],
    [{ state: 'APPROVED' }, 'status'],
    [{ state: 'DELIVERED' }, 'status'],
    [{ hasAvatar: true }, 'avatar'],
    [{ hasBinnedAvatar: true }, 'avatar'],
    [{ hasBinnedConcept: true }, 'concept'],
    [{ hasLesson: true }, 'learning'],
    [{ hasConcept: true }, 'concept'],
    [{ hasKeptRelative: true }, 'lineage'],
    [{ isInFlight: true }, 'in-flight'],
    [{ isTaken: true }, 'in-flight'],
    [{ hasKeptSibling: true }, 'sibling'],
    [{ isImported: true }, 'foreign-store'],
    [{ hasChanged: true }, 'changed'],
    [{ state: null, hasRush: true }, 'rush'],
    [{ state: null, hasConsent: true }, 'consent'],
    [{ state: null, isRecorded: true }, 'recorded'],
    [{ state: null }, null],
    [{ hasAvatar: true, hasConcept: true, isImported: true }, 'avatar'],
  ] satisfies [Partial<FileFacts>, string | null][])('%o → %s', (more, reason) => {
    expect(keepReason(facts(more), NOW)).toBe(reason);
  });

  it('says when a file expires as long as only its age keeps it', () => {
    const since = new Date('2026-11-01T00:00:00Z');
    const expiresAt = new Date('2026-12-01T00:00:00Z');
    expect(fileRetention(facts({ since }), NOW)).toEqual({
      keptBecause: 'recent',
      lasting: null,
      expiresAt,
    });
    expect(fileRetention(facts({ since, hasAvatar: true }), NOW)).toEqual({
      keptBecause: 'recent',
      lasting: 'avatar',
      expiresAt: null,
    });
  });
});
