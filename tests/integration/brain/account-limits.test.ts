import { expect, it } from 'vitest';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { getImport, MAX_KEPT_IMPORTS, startImport } from '#lib/brain/imports/jobs.ts';
import { MAX_PROJECTS, MAX_SPACES } from '#lib/brain/limits.ts';
import { registerProject } from '#lib/brain/projects/register-project.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

const outcomes = async (works: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(works))
    .map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code))
    .sort();

/** What comes of two of them when one has counted and is about to write as the other counts, or waits to. */
async function atOnce(
  ctx: Context<MemberActor>,
  make: (ctx: Context<MemberActor>) => Promise<unknown>,
): Promise<string[]> {
  let other: Promise<unknown> = Promise.resolve();
  const kysely = interceptedQueries(service.pool, {
    async before({ text }) {
      if (!/^insert into "(Space|Project)"/.test(text)) return;
      const counted = Promise.withResolvers<void>();
      const counting = interceptedQueries(service.pool, {
        after: (query) => (/count\(/.test(query.text) ? counted.resolve() : undefined),
      });
      other = make({ ...ctx, kysely: counting });
      await Promise.race([counted.promise, untilBlocked(service)]);
    },
  });
  const one = make({ ...ctx, kysely });
  await Promise.allSettled([one]);
  return outcomes([one, other]);
}

it('an account has so many Spaces at most, archived ones included, even when two are created at once', async () => {
  const { account, actor } = await makeAccount(service);
  const ctx = testContext(service, actor);
  const at = new Date();
  await service.db.space.createMany({
    data: Array.from({ length: MAX_SPACES - 1 }, (_, n) => ({
      id: createId('space', at),
      accountId: account.id,
      name: `Espace ${n}`,
      template: 'brand' as const,
      archivedAt: n % 2 === 0 ? at : null,
      createdAt: at,
      updatedAt: at,
    })),
  });
  const input = { accountId: account.id, name: 'Encore', template: 'brand' } as const;
  expect(await atOnce(ctx, (as) => createSpace(as, input))).toEqual(['conflict', 'done']);
  expect(await service.db.space.count({ where: { accountId: account.id } })).toBe(2_000);
});

it('an account has so many projects at most, even when two are registered at once', async () => {
  const { account, actor } = await makeAccount(service);
  const ctx = testContext(service, actor);
  const at = new Date();
  const websiteUrl = 'https://exemple.fr';
  await service.db.project.createMany({
    data: Array.from({ length: MAX_PROJECTS - 1 }, (_, n) => ({
      id: createId('project', at),
      accountId: account.id,
      name: `Projet ${n}`,
      websiteUrl,
      createdAt: at,
      updatedAt: at,
    })),
  });
  const input = { accountId: account.id, name: 'Encore', websiteUrl };
  expect(await atOnce(ctx, (as) => registerProject(as, input))).toEqual(['conflict', 'done']);
  expect(await service.db.project.count({ where: { accountId: account.id } })).toBe(2_000);
});

it('an account is told of its latest imports: older ones are forgotten, but for one that a process is at', async () => {
  const { account, actor, member } = await makeAccount(service);
  const ctx = testContext(service, actor);
  const space = await makeSpace(service, account.id);
  const start = Date.now() - 10_000_000;
  const old = Array.from({ length: MAX_KEPT_IMPORTS + 5 }, (_, n) => ({
    id: createId('importJob', new Date(start + n)),
    accountId: account.id,
    spaceId: space.id,
    memberId: member.id,
    label: `Import ${n}`,
    source: 'UPLOAD' as const,
    state: n === 1 ? ('RUNNING' as const) : ('DONE' as const),
    leaseUntil: n === 1 ? new Date(Date.now() + 3_600_000) : null,
    total: 1,
    refused: [],
    createdAt: new Date(start + n),
    updatedAt: new Date(start + n),
  }));
  await service.db.importJob.createMany({ data: old });
  const { drafts } = await readUpload([{ name: 'note.md', bytes: new TextEncoder().encode('Un texte.') }], {
    pillar: 'KNOWLEDGE',
  });
  const started = { spaceId: space.id, label: 'note', source: 'UPLOAD' as const, drafts, refused: [] };
  const { jobId } = await startImport(ctx, started);
  expect(await service.db.importJob.count({ where: { accountId: account.id } })).toBe(501);
  expect(await getImport(ctx, { jobId })).toMatchObject({ state: 'RUNNING' });
  expect(await getImport(ctx, { jobId: old[1]?.id ?? '' })).toMatchObject({ label: 'Import 1' });
  await expect(getImport(ctx, { jobId: old[0]?.id ?? '' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(getImport(ctx, { jobId: old[2]?.id ?? '' })).rejects.toMatchObject({ code: 'not_found' });
});
