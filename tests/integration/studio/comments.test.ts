import { expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { addComment } from '#lib/studio/comments/add-comment.ts';
import { deleteComment } from '#lib/studio/comments/delete-comment.ts';
import { listComments } from '#lib/studio/comments/list-comments.ts';
import { mailMentions } from '#lib/studio/comments/mail-mentions.ts';
import { withNames } from '#lib/studio/comments/mentions.ts';
import { fillJournal } from '#tests/e2e/setup/scenes/fill-journal.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function scene() {
  const { ctx } = await studioScene(service);
  await fillJournal(ctx, 1);
  const row = await service.db.generation.findFirstOrThrow({ where: { accountId: ctx.actor.accountId } });
  const member = async (name: string, permissions: ('generate' | 'brain.write')[] = ['generate']) => {
    const made = await makeMember(service, ctx.actor.accountId, { role: 'MEMBER', name, permissions });
    return { ...ctx, actor: memberActor(made) };
  };
  return { ctx, generationId: row.id, member };
}

it('names members after an @, the longest name first, and keeps who they are rather than what they are called', async () => {
  const { ctx, generationId, member } = await scene();
  const ines = await member('Inès Roy');
  const royer = await member('Inès Royer');
  await member('Sans Journal', ['brain.write']);
  const { mentioned } = await addComment(ctx, {
    generationId,
    text: ' @inès roy, voyez avec @Inès Royer. @Sans Journal et @Personne non. ',
  });
  expect(mentioned).toBe(2);
  const [comment] = await listComments(ctx, { generationId });
  expect(comment?.text).toBe(
    `@[${ines.actor.memberId}], voyez avec @[${royer.actor.memberId}]. @Sans Journal et @Personne non.`,
  );
  expect(
    withNames(comment?.text ?? '', (id) => (id === ines.actor.memberId ? 'Membre effacé' : undefined)),
  ).toBe('@Membre effacé, voyez avec @membre. @Sans Journal et @Personne non.');
});

it('names a member of however large an account', async () => {
  const { ctx, generationId, member } = await scene();
  const last = await member('Zoé Zimmer');
  const now = new Date();
  const { accountId } = ctx.actor;
  await service.db.member.createMany({
    data: Array.from({ length: 500 }, (_, n) => ({
      id: createId('member'),
      accountId,
      email: `n${n}.${accountId}@exemple.test`,
      name: `Agnès ${n}`,
      role: 'MEMBER' as const,
      permissions: ['generate'],
      status: 'ACTIVE' as const,
      createdAt: now,
      updatedAt: now,
    })),
  });
  expect(await addComment(ctx, { generationId, text: 'Voyez, @Zoé Zimmer' })).toMatchObject({ mentioned: 1 });
  const [comment] = await listComments(ctx, { generationId });
  expect(comment?.text).toBe(`Voyez, @[${last.actor.memberId}]`);
});

it('a comment is deleted by who wrote it or a founder, and no other account reads, adds or deletes one', async () => {
  const { ctx, generationId, member } = await scene();
  const { ctx: stranger } = await scene();
  const ines = await member('Inès');
  const noor = await member('Noor');
  const { id } = await addComment(ines, { generationId, text: 'La mèche est floue' });
  expect(await listComments(stranger, { generationId })).toEqual([]);
  await expect(addComment(stranger, { generationId, text: 'Ici' })).rejects.toMatchObject({
    code: 'not_found',
  });
  const reader = await member('Sans Journal', ['brain.write']);
  await expect(addComment(reader, { generationId, text: 'Ici' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  for (const who of [stranger, noor])
    await expect(deleteComment(who, { commentId: id })).rejects.toMatchObject({ code: 'not_found' });
  await deleteComment(ines, { commentId: id });
  const again = await addComment(ines, { generationId, text: 'Encore' });
  await deleteComment(ctx, { commentId: again.id });
  expect(await listComments(ctx, { generationId })).toEqual([]);
  for (const text of [' ', 'a'.repeat(2_001)])
    await expect(addComment(ctx, { generationId, text })).rejects.toMatchObject({ code: 'invalid' });
  const actions = await service.db.auditEntry.findMany({
    where: { accountId: ctx.actor.accountId, subjectId: generationId },
    orderBy: { id: 'asc' },
    select: { action: true, data: true },
  });
  // Whatever their order: entries of one millisecond have none.
  expect(actions.map(({ action }) => action).sort()).toEqual([
    'generation.comment_deleted',
    'generation.comment_deleted',
    'generation.commented',
    'generation.commented',
  ]);
  // Audited without the text.
  expect(JSON.stringify(actions)).not.toMatch(/mèche|Encore/);
});

it('a generation takes two hundred comments, and says so to the next, however many come at once', async () => {
  const { ctx, generationId } = await scene();
  const { accountId, memberId } = ctx.actor;
  const createdAt = ctx.clock.now();
  await service.db.generationComment.createMany({
    data: Array.from({ length: 199 }, () => ({
      id: createId('comment', createdAt),
      accountId,
      generationId,
      memberId,
      text: 'Oui',
      createdAt,
    })),
  });
  // The last one, as long as one may be.
  const last = () => addComment(ctx, { generationId, text: 'a'.repeat(2_000) });
  expect(await oneBeforeAnother(service, last, last)).toEqual(['done', 'conflict']);
  const [one] = await listComments(ctx, { generationId });
  await deleteComment(ctx, { commentId: one?.id ?? '' });
  const settled = await Promise.allSettled(Array.from({ length: 8 }, last));
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await listComments(ctx, { generationId })).toHaveLength(200);
  await expect(addComment(ctx, { generationId, text: 'De trop' })).rejects.toMatchObject({
    code: 'conflict',
  });
});

it('one mail a day tells a member the comments that name them, from their own account; never oneself, nor who left or lost the right', async () => {
  const first = await scene();
  const second = await scene();
  const clock = manualClock(first.ctx.clock.now().toISOString());
  const system = { ...first.ctx, clock, actor: { type: 'system' as const, job: 'retention' as const } };
  const ines = await first.member('Inès');
  const gone = await first.member('Partie');
  const moved = await first.member('Retirée');
  // The night is everybody's: what the tests above left is told first.
  await mailMentions(system, () => {});
  const mails: Mail[] = [];
  const night = () => mailMentions(system, (mail) => mails.push(mail));
  await addComment(first.ctx, { generationId: first.generationId, text: '@Inès @Partie la mèche est floue' });
  await addComment(first.ctx, { generationId: first.generationId, text: '@Inès et le fond ?' });
  await addComment(first.ctx, { generationId: first.generationId, text: '@Retirée la cire aussi' });
  // Oneself, and a member of another account.
  await addComment(ines, { generationId: first.generationId, text: '@Inès à moi' });
  await addComment(second.ctx, { generationId: second.generationId, text: '@Inès SECRET' });
  await service.db.member.update({ where: { id: gone.actor.memberId }, data: { status: 'REMOVED' } });
  await service.db.member.update({ where: { id: moved.actor.memberId }, data: { permissions: [] } });
  // Nobody to mail by: nothing is taken.
  expect(await mailMentions(system, undefined)).toBe(0);
  expect(await night()).toBe(1);
  const { email } = await service.db.member.findUniqueOrThrow({ where: { id: ines.actor.memberId } });
  expect(mails).toHaveLength(1);
  expect(mails[0]?.to).toBe(email);
  expect(mails[0]?.subject).toContain('2 commentaires vous nomment');
  expect(mails[0]?.text).toContain('@Inès @Partie la mèche est floue');
  expect(mails[0]?.text).not.toContain('SECRET');
  // The same night run twice, and a comment of the same day: nothing more.
  await addComment(first.ctx, { generationId: first.generationId, text: '@Inès encore' });
  expect(await night()).toBe(0);
  clock.advance(24 * 3_600_000);
  expect(await night()).toBe(1);
  expect(mails[1]?.subject).toContain('un commentaire vous nomme');
  expect(mails[1]?.text).toMatch(/Il est dans «\sJournal\s», sur la page de sa génération/);
  expect(await night()).toBe(0);
  // Taken before its mail leaves: a mail that is lost is not sent again.
  await addComment(first.ctx, { generationId: first.generationId, text: '@Inès enfin' });
  clock.advance(24 * 3_600_000);
  const lost = mailMentions(system, () => {
    throw new Error('lost');
  });
  await expect(lost).rejects.toThrow('lost');
  clock.advance(24 * 3_600_000);
  expect(await night()).toBe(0);
});

it('who is away is named in no comment, and nobody of a closed account is mailed', async () => {
  const { ctx, generationId, member } = await scene();
  const { accountId } = ctx.actor;
  await member('Inès');
  const away = await member('Noor');
  await service.db.member.update({ where: { id: away.actor.memberId }, data: { status: 'SUSPENDED' } });
  const named = await addComment(ctx, { generationId, text: '@Inès @Noor la mèche est floue' });
  expect(named.mentioned).toBe(1);
  await service.db.account.update({ where: { id: accountId }, data: { closedAt: ctx.clock.now() } });
  const system = { ...ctx, actor: { type: 'system' as const, job: 'retention' as const } };
  const mails: Mail[] = [];
  await mailMentions(system, (mail) => mails.push(mail));
  expect(mails.filter(({ text }) => text.includes('la mèche est floue'))).toEqual([]);
});

it('a mention is mailed by the night that claims it: another passes over it, and waits for nobody', async () => {
  const { ctx, generationId, member } = await scene();
  const system = { ...ctx, actor: { type: 'system' as const, job: 'retention' as const } };
  const ines = await member('Inès');
  await mailMentions(system, () => {});
  await addComment(ctx, { generationId, text: '@Inès la mèche est floue' });
  const mails: Mail[] = [];
  const night = () => mailMentions(system, (mail) => mails.push(mail));
  const claim = {
    text: 'UPDATE "GenerationMention" SET "mailedAt" = $2 WHERE "memberId" = $1',
    values: [ines.actor.memberId, ctx.clock.now()],
  };
  expect(await claimedMeanwhile(service, claim, night)).toEqual({ came: 0, waited: false });
  expect(mails).toEqual([]);
});

it('a mail names members of its own account alone, whatever identifier somebody typed', async () => {
  const first = await scene();
  const second = await scene();
  const system = { ...first.ctx, actor: { type: 'system' as const, job: 'retention' as const } };
  const ines = await first.member('Inès');
  const stranger = await second.member('Zoé Ailleurs');
  await mailMentions(system, () => {});
  const mails: Mail[] = [];
  const typed = `@Inès demandez à @[${stranger.actor.memberId}]`;
  await addComment(first.ctx, { generationId: first.generationId, text: typed });
  await addComment(second.ctx, { generationId: second.generationId, text: '@Zoé Ailleurs ici' });
  expect(await mailMentions(system, (mail) => mails.push(mail))).toBe(2);
  const { email } = await service.db.member.findUniqueOrThrow({ where: { id: ines.actor.memberId } });
  const told = mails.find(({ to }) => to === email);
  expect(told?.text).toContain('@Inès demandez à @membre');
  expect(told?.text).not.toContain('Zoé');
  expect(mails.find(({ to }) => to !== email)?.text).toContain('@Zoé Ailleurs ici');
});

it('a night that cannot tell all tells some of each account: who is named without end in one takes nobody’s place in another', async () => {
  const loud = await scene();
  const quiet = await scene();
  const system = { ...loud.ctx, actor: { type: 'system' as const, job: 'retention' as const } };
  await mailMentions(system, () => {});
  for (const name of ['Ana', 'Bea', 'Cléo']) await loud.member(name);
  for (const text of ['@Ana @Bea @Cléo un', '@Ana @Bea @Cléo deux', '@Ana @Bea @Cléo trois'])
    await addComment(loud.ctx, { generationId: loud.generationId, text });
  const zoe = await quiet.member('Zoé');
  await addComment(quiet.ctx, { generationId: quiet.generationId, text: '@Zoé ici' });
  const mails: Mail[] = [];
  const night = (most?: number) =>
    mailMentions(system, (mail) => mails.push(mail), most === undefined ? {} : { most });
  expect(await night(2)).toBe(2);
  const { email } = await service.db.member.findUniqueOrThrow({ where: { id: zoe.actor.memberId } });
  expect(mails.filter(({ to }) => to === email)).toHaveLength(1);
  // The others of the loud account are told by the next, each once that day.
  expect(await night()).toBe(2);
  expect(new Set(mails.map(({ to }) => to)).size).toBe(4);
});

it('a comment that is sent again under its key after a lost answer is written, told and audited once, also when both are under way', async () => {
  const { ctx, generationId, member } = await scene();
  const ines = await member('Inès');
  const sent = { generationId, text: '@Inès la mèche est floue', key: '1234-5678-9012-3456' };
  const [first, ...again] = await Promise.all([addComment(ctx, sent), addComment(ctx, sent)]);
  expect(first).toMatchObject({ mentioned: 1 });
  expect([...again, await addComment(ctx, sent)]).toEqual([first, first]);
  expect(await listComments(ctx, { generationId })).toHaveLength(1);
  const where = { accountId: ctx.actor.accountId };
  expect(await service.db.generationMention.count({ where })).toBe(1);
  expect(await service.db.auditEntry.count({ where: { ...where, action: 'generation.commented' } })).toBe(1);
  // Another content under it is not taken for the first, and another member's key is another one.
  await expect(addComment(ctx, { ...sent, text: 'Autre chose' })).rejects.toMatchObject({ code: 'conflict' });
  await addComment(ines, { ...sent, text: 'Autre chose' });
  // Without a key, each is a comment of its own.
  for (const text of ['Oui', 'Oui']) await addComment(ctx, { generationId, text });
  expect(await listComments(ctx, { generationId })).toHaveLength(4);
});

it('a comment that was deleted before it came again under its key stays deleted: its repetition is refused, another comment is not', async () => {
  const { ctx, generationId, member } = await scene();
  const ines = await member('Inès');
  const sent = { generationId, text: 'La mèche est floue', key: '2345-6789-0123-4567' };
  const first = await addComment(ines, sent);
  await deleteComment(ctx, { commentId: first.id });
  for (const text of [sent.text, 'Autre chose'])
    await expect(addComment(ines, { ...sent, text })).rejects.toMatchObject({ code: 'conflict' });
  expect(await listComments(ctx, { generationId })).toEqual([]);
  const where = { accountId: ctx.actor.accountId, action: 'generation.commented' };
  expect(await service.db.auditEntry.count({ where })).toBe(1);
  // Another member's key is another one, and so is another content's.
  await addComment(ctx, sent);
  await addComment(ines, { ...sent, key: '3456-7890-1234-5678' });
  // One that was sent without a key stands in nobody's way.
  const bare = await addComment(ines, { generationId, text: 'Oui' });
  await deleteComment(ines, { commentId: bare.id });
  await addComment(ines, { generationId, text: 'Oui' });
  expect(await listComments(ctx, { generationId })).toHaveLength(3);
});
