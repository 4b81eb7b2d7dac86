import { expect, test } from 'vitest';
import { registerProject, updateProject } from '#lib/brain/projects/register-project.ts';
import { archiveSpace, changeSpace } from '#lib/brain/spaces/change-space.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const FIRST = new Date('2026-10-01T08:00:00Z');
const THEN = new Date('2026-10-02T08:00:00Z');

async function setting() {
  const { account, actor } = await makeAccount(service);
  let now = FIRST;
  const ctx = testContext(service, actor, { clock: { now: () => now } });
  const later = () => {
    now = THEN;
  };
  return { accountId: account.id, ctx, later };
}

test('names are kept without the spaces around them, by whichever verb they are given', async () => {
  const { accountId, ctx } = await setting();
  const space = await createSpace(ctx, { accountId, name: '  Maison  ', template: 'brand' });
  const project = await registerProject(ctx, { accountId, name: '\tLampe ', websiteUrl: 'https://lampe.fr' });
  expect([space.name, project.name]).toEqual(['Maison', 'Lampe']);
  await changeSpace(ctx, { spaceId: space.id, name: ' Atelier ' });
  await updateProject(ctx, { accountId, projectId: project.id, name: ' Bougie ' });
  const stored = await service.db.space.findUniqueOrThrow({ where: { id: space.id } });
  const kept = await service.db.project.findUniqueOrThrow({ where: { id: project.id } });
  expect([stored.name, kept.name]).toEqual(['Atelier', 'Bougie']);
});

test('a project that changes says when, keeps what was not given, and is one entry of the audit', async () => {
  const { accountId, ctx, later } = await setting();
  const { id } = await registerProject(ctx, { accountId, name: 'Lampe', websiteUrl: 'https://lampe.fr' });
  later();
  await updateProject(ctx, { accountId, projectId: id, name: 'Bougie' });
  expect(await service.db.project.findUnique({ where: { id } })).toEqual({
    id,
    accountId,
    name: 'Bougie',
    websiteUrl: 'https://lampe.fr',
    createdAt: FIRST,
    updatedAt: THEN,
  });
  const entries = await service.db.auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action }) => action)).toEqual(['project.registered', 'project.updated']);
});

test('a project of another account answers like one that never was, and stays as it is', async () => {
  const { accountId, ctx } = await setting();
  const stranger = await setting();
  const { id } = await registerProject(ctx, { accountId, name: 'Lampe', websiteUrl: 'https://lampe.fr' });
  const change = (projectId: string) =>
    updateProject(stranger.ctx, { accountId: stranger.accountId, projectId, name: 'Bougie' });
  for (const projectId of [id, 'prj_00000000000000000000000000'])
    await expect(change(projectId)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Ce projet est introuvable dans ce compte.',
    });
  expect(await service.db.project.findUnique({ where: { id } })).toMatchObject({ name: 'Lampe' });
});

test('a Space put away twice, or brought back twice, is so once: at the first date, with one entry of the audit', async () => {
  const { accountId, ctx, later } = await setting();
  const { id: spaceId } = await makeSpace(service, accountId, { now: FIRST });
  const archivedAt = async () =>
    (await service.db.space.findUniqueOrThrow({ where: { id: spaceId } })).archivedAt;
  await archiveSpace(ctx, { spaceId, archived: true });
  later();
  await archiveSpace(ctx, { spaceId, archived: true });
  expect(await archivedAt()).toEqual(FIRST);
  for (let time = 0; time < 2; time += 1) await archiveSpace(ctx, { spaceId, archived: false });
  expect(await archivedAt()).toBeNull();
  const entries = await service.db.auditEntry.findMany({
    where: { subjectId: spaceId },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ action }) => action)).toEqual(['space.archived', 'space.unarchived']);
});
