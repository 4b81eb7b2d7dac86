import { expect, test } from 'vitest';
import { registerProject } from '#lib/brain/projects/register-project.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { closeAccount } from '#lib/identity/closing/close-account.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { normalizeEmail } from '#lib/identity/sign-in/email.ts';
import { attachToNewConcept } from '#lib/storage/assets/concepts.ts';
import { saveFilter } from '#lib/studio/saved-filters/save-filter.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

const fieldsOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) =>
      error instanceof ServiceError ? error.options.problems?.map(({ field }) => field) : error,
  );

test('a name of which nobody would see anything is refused under its field, wherever one is given', async () => {
  const { account, member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor);
  const own = { accountId: account.id, memberId: member.id };
  for (const name of ['   ', '\u00a0', '\u200b\u200d', '\u2800'])
    expect([
      name,
      await fieldsOf(updateProfile(ctx, { name })),
      await fieldsOf(createKey(ctx, { ...own, name, expiresInDays: 30 })),
      await fieldsOf(createSpace(ctx, { accountId: account.id, name, template: 'brand' })),
      await fieldsOf(saveFilter(ctx, { name, query: 'status=done' })),
    ]).toEqual([name, ['name'], ['name'], ['name'], ['name']]);
});

test('a name that reads otherwise than it is stored is refused under its field, wherever one is given, and leaves nothing', async () => {
  const { account, member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor);
  const own = { accountId: account.id, memberId: member.id };
  const { id: accountId } = account;
  for (const name of ['Espace \u202e54-21', 'Lu\u200bmen', 'Lumen\nMaison'])
    expect([
      name,
      await fieldsOf(updateProfile(ctx, { name })),
      await fieldsOf(createKey(ctx, { ...own, name, expiresInDays: 30 })),
      await fieldsOf(createSpace(ctx, { accountId, name, template: 'brand' })),
      await fieldsOf(registerProject(ctx, { accountId, name, websiteUrl: 'https://exemple.fr' })),
      await fieldsOf(attachToNewConcept(ctx, { productId: 'libre', name, assetId: 'ast_none' })),
    ]).toEqual([name, ['name'], ['name'], ['name'], ['name'], ['name']]);
  expect(await fieldsOf(saveFilter(ctx, { name: 'Ra\u200btés', query: 'status=done' }))).toEqual(['name']);
  const { db } = service;
  const where = { where: { accountId } };
  expect([
    await db.developerKey.count(where),
    await db.space.count(where),
    await db.project.count(where),
    await db.concept.count(where),
    await db.savedFilter.count(where),
  ]).toEqual([0, 0, 0, 0, 0]);
});

test('an account is closed by its name as a keyboard types it, and by no other one', async () => {
  const { account, actor } = await makeAccount(service, { name: 'L’Atelier\u00a0d’Inès  Roy' });
  const close = (name: string) =>
    fieldsOf(closeAccount(testContext(service, actor), { accountId: account.id, name }));
  expect(await close("L'Atelier d'Ines Roy")).toEqual(['name']);
  expect(await close("L'atelier d'Inès Roy")).toEqual(['name']);
  expect(await close(" L'Atelier d'Ine\u0300s Roy ")).toBe('done');
});

test('an address that is pasted with what nobody sees is the same address', () => {
  expect(normalizeEmail('\u200b Camille@Exemple.fr\u2060\ufeff')).toBe('camille@exemple.fr');
});
