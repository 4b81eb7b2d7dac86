import { expect, test } from 'vitest';
import { listProjects } from '#lib/brain/projects/list-projects.ts';
import { listSpaces } from '#lib/brain/spaces/list-spaces.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

test('Spaces and projects of one instant are listed by their identifiers, whatever the order in which they were written', async () => {
  const { account, actor } = await makeAccount(service);
  const at = { createdAt: new Date('2026-10-01T08:00:00Z'), updatedAt: new Date('2026-10-01T08:00:00Z') };
  const spaces = Array.from({ length: 6 }, () => createId('space', at.createdAt));
  const projects = Array.from({ length: 6 }, () => createId('project', at.createdAt));
  const one = { accountId: account.id, ...at };
  for (const id of spaces.toReversed())
    await service.db.space.create({ data: { id, name: 'Maison', template: 'brand', ...one } });
  for (const id of projects.toReversed())
    await service.db.project.create({ data: { id, name: 'Site', websiteUrl: 'https://exemple.fr', ...one } });
  const ctx = testContext(service, actor);
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
  expect(ids(await listSpaces(ctx))).toEqual(spaces);
  expect(ids(await listProjects(ctx))).toEqual(projects);
});
