import { expect, it } from 'vitest';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { reviewGenerations } from '#lib/storage/assets/review-generations.ts';
import { undoReviews } from '#lib/storage/assets/undo-reviews.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addAsset, addGeneration, auditsOf, filesScene } from '#tests/factories/files/files.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const WHY = { review: 'reject', reason: 'Hors charte' } as const;

const decisionOf = (id: string) =>
  service.db.asset.findUniqueOrThrow({
    where: { id },
    select: { state: true, reviewedBy: true, reviewReason: true },
  });

/** Two rows of one file each, seen by two members. */
async function setting() {
  const s = await filesScene(service);
  const member = await makeMember(service, s.owner.accountId, { name: 'Inès' });
  const theirs = { ...s.ctx, actor: memberActor(member) };
  const [one, two] = [await addGeneration(s), await addGeneration(s)];
  const first = (await addAsset(s, { generationId: one })).id;
  const second = (await addAsset(s, { generationId: two })).id;
  return { s, member, theirs, one, two, first, second };
}

it('a file that a colleague has rejected since the page showed it is not approved over that: who did and when is told, and what the page then shows decides', async () => {
  const { s, member, theirs, first } = await setting();
  await reviewAsset(theirs, { assetId: first, ...WHY });
  const decide = (shown?: 'GENERATED' | 'REJECTED') =>
    reviewAsset(s.ctx, { assetId: first, review: 'approve', shown });
  const refusal = decide('GENERATED');
  await expect(refusal).rejects.toMatchObject({ code: 'conflict' });
  await expect(refusal).rejects.toThrow(
    /^Ce fichier a été rejeté \(par Inès, le \d.* \d{4} à \d\d:\d\d\) entre-temps\u00a0: rien n’a été enregistré\./,
  );
  expect(await decisionOf(first)).toEqual({
    state: 'REJECTED',
    reviewedBy: member.id,
    reviewReason: 'Hors charte',
  });
  expect((await auditsOf(s, 'asset.approved')).length).toBe(0);
  expect(await decide('REJECTED')).toEqual({ id: first, state: 'APPROVED' });
  // The other way round, and a delivery of what is rejected meanwhile.
  const deliver = reviewAsset(theirs, { assetId: first, review: 'deliver', shown: 'REJECTED' });
  await expect(deliver).rejects.toThrow(/^Ce fichier a été approuvé \(par /);
  await expect(reviewAsset(theirs, { assetId: first, ...WHY, shown: 'APPROVED' })).resolves.toEqual({
    id: first,
    state: 'REJECTED',
  });
});

it('a decision that stands as asked, a file that waits again, and a caller that shows nothing are no conflict', async () => {
  const { s, theirs, first, one } = await setting();
  await reviewAsset(theirs, { assetId: first, review: 'approve' });
  await reviewAsset(s.ctx, { assetId: first, review: 'approve', shown: 'GENERATED' });
  expect(await undoReviews(theirs, { assetIds: [first] })).toEqual({ assetIds: [first] });
  await reviewAsset(s.ctx, { assetId: first, ...WHY, shown: 'APPROVED' });
  await reviewAsset(theirs, { assetId: first, review: 'approve' });
  const rejected = await reviewGenerations(s.ctx, { generationIds: [one], ...WHY });
  expect(rejected).toEqual({ assetIds: [first], unchanged: 0 });
});

it('of several rows decided in one gesture, those that a colleague has judged otherwise since stay and are told, the others are decided; where nothing else is left it is refused', async () => {
  const { s, member, theirs, one, two, first, second } = await setting();
  await reviewAsset(theirs, { assetId: first, ...WHY });
  const shown = { files: { [first]: 'GENERATED', [second]: 'GENERATED' } } as const;
  const approve = { generationIds: [one, two], review: 'approve', shown } as const;
  expect(await reviewGenerations(s.ctx, approve)).toEqual({
    assetIds: [second],
    unchanged: 0,
    meanwhile: {
      files: 1,
      sentence: expect.stringMatching(
        /^Ce fichier a été rejeté \(par Inès, le .*\) entre-temps\u00a0: il reste ainsi\.$/,
      ),
    },
  });
  expect(await decisionOf(first)).toMatchObject({ state: 'REJECTED', reviewedBy: member.id });
  const again = reviewGenerations(s.ctx, approve);
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
  // What a queue lists alone stands for the files that the page had not read yet.
  const unread = { ...approve, generationIds: [one], shown: { files: {}, others: 'GENERATED' } } as const;
  await expect(reviewGenerations(s.ctx, unread)).rejects.toMatchObject({ code: 'conflict' });
  expect(await decisionOf(first)).toMatchObject({ state: 'REJECTED' });
  const nothingKnown = await reviewGenerations(s.ctx, { ...unread, shown: { files: {} } });
  expect(nothingKnown).toEqual({ assetIds: [first], unchanged: 0 });
});

it('in the very moment in which two members decide otherwise about one file, one of them is refused', async () => {
  const { s, theirs, one, first } = await setting();
  const shown = { files: { [first]: 'GENERATED' } } as const;
  const approve = () => reviewGenerations(s.ctx, { generationIds: [one], review: 'approve', shown });
  const reject = () => reviewAsset(theirs, { assetId: first, ...WHY, shown: 'GENERATED' });
  expect(await oneBeforeAnother(service, approve, reject)).toEqual(['done', 'conflict']);
  expect(await decisionOf(first)).toMatchObject({ state: 'APPROVED' });
  await service.db.asset.update({ where: { id: first }, data: { state: 'GENERATED', reviewedAt: null } });
  expect(await oneBeforeAnother(service, reject, approve)).toEqual(['done', 'conflict']);
  expect(await decisionOf(first)).toMatchObject({ state: 'REJECTED' });
});

it('a decision that is taken back in the moment in which a colleague decides anew leaves the colleague’s', async () => {
  const { s, theirs, first } = await setting();
  await reviewAsset(s.ctx, { assetId: first, review: 'approve' });
  const decide = () => reviewAsset(theirs, { assetId: first, ...WHY, shown: 'APPROVED' });
  const taken: string[][] = [];
  const takeBack = async () => taken.push((await undoReviews(s.ctx, { assetIds: [first] })).assetIds);
  expect(await oneBeforeAnother(service, decide, takeBack)).toEqual(['done', 'done']);
  expect(taken).toEqual([[]]);
  expect(await decisionOf(first)).toMatchObject({ state: 'REJECTED', reviewedBy: theirs.actor.memberId });
});

it('of files that several members have judged, both are told, and the caller is « vous »', async () => {
  const { s, theirs, one, two, first, second } = await setting();
  await reviewAsset(theirs, { assetId: first, ...WHY });
  await reviewAsset(s.ctx, { assetId: second, ...WHY });
  const files = { [first]: 'GENERATED', [second]: 'GENERATED' } as const;
  const refusal = reviewGenerations(s.ctx, {
    generationIds: [one, two],
    review: 'approve',
    shown: { files },
  });
  await expect(refusal).rejects.toThrow(
    /^2 fichiers ont été rejetés \(par (Inès et vous|vous et Inès), pour le dernier le .*\) entre-temps/,
  );
  // Nobody is named for all of them where nothing is known of who judged one.
  await service.db.asset.update({ where: { id: first }, data: { reviewedBy: null } });
  const half = reviewGenerations(s.ctx, {
    generationIds: [one, two],
    review: 'approve',
    shown: { files },
  });
  await expect(half).rejects.toThrow(/^2 fichiers ont été rejetés \(pour le dernier le .*\) entre-temps/);
});
