import { describe, expect, it } from 'vitest';
import { parseEnv } from '#lib/core/env.ts';
import { createId } from '#lib/core/ids.ts';
import { MODELS } from '#lib/providers/models/catalogue.ts';
import { describeModels, describeProviders } from '#lib/providers/wiring/describe-providers.ts';
import { listAvatarsWithUses } from '#lib/storage/assets/list-avatars-with-uses.ts';
import { listUnregisteredProducts } from '#lib/storage/deletion/list-unregistered-products.ts';
import { listPendingCharges } from '#lib/studio/operations/list-pending-charges.ts';
import { listRuns } from '#lib/studio/operations/list-runs.ts';
import { listUndelivered } from '#lib/studio/operations/list-undelivered.ts';
import { readDivergences } from '#lib/studio/operations/read-divergences.ts';
import { checkTemplate } from '#lib/studio/templates/preview/check-template.ts';
import { fillFields } from '#lib/studio/templates/preview/fill-fields.ts';
import { TEMPLATES } from '#lib/studio/templates/registry.ts';
import { furnish, leaveProduct, makeAsset } from '#tests/e2e/setup/scenes/desk.ts';
import { makeAccount, makeMember, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function scene() {
  const { account, member, actor } = await makeAccount(service);
  const ctx = testContext(service, actor);
  await giveCredit(ctx, member.id, 100_000_000n);
  const plain = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['generate'] });
  const stranger = testContext(service, (await makeAccount(service)).actor);
  const owner = { accountId: account.id, memberId: member.id };
  return { ctx, owner, stranger, plain: testContext(service, memberActor(plain)) };
}

describe('operations', () => {
  it('show an account its own debits, losses and divergences, paged without repeating, and a stranger none', async () => {
    const { ctx, owner, stranger } = await scene();
    const { pendingId } = await furnish(service, owner, { rows: 30 });
    expect((await listPendingCharges(ctx)).map(({ id }) => id)).toEqual([pendingId]);
    const first = await listUndelivered(ctx, { limit: 2 });
    const rest = await listUndelivered(ctx, { before: first.nextBefore ?? '', limit: 50 });
    const ids = [...first.incidents, ...rest.incidents].map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(3);
    const { total, days, latest } = await readDivergences(ctx);
    expect([total, latest.length, days.length]).toEqual([3, 3, 30]);
    expect(days.reduce((sum, day) => sum + day.count, 0)).toBe(total);
    expect(await listPendingCharges(stranger)).toEqual([]);
    expect((await listUndelivered(stranger)).incidents).toEqual([]);
    expect((await readDivergences(stranger)).total).toBe(0);
    const operator = testContext(service, (await makeAccount(service, { operator: true })).actor);
    const page = await listRuns(operator, { job: 'generations-sweep', limit: 10 });
    const older = await listRuns(operator, {
      job: 'generations-sweep',
      before: page.nextBefore ?? '',
      limit: 100,
    });
    expect(page.runs.length + older.runs.length).toBe(25);
    // The operator's founders follow every account: how much and whose, never what was asked.
    const everywhere = [
      ...(await listPendingCharges(operator)),
      ...(await listUndelivered(operator, { limit: 2 })).incidents,
      ...(await readDivergences(operator)).latest,
    ];
    expect(everywhere).toHaveLength(1 + 2 + 3);
    for (const row of everywhere)
      expect(row).toMatchObject({ accountName: 'Maison Lumen', generationId: null, brief: null });
    expect((await listPendingCharges(operator)).map(({ memberName }) => memberName)).toEqual([null]);
    expect((await listPendingCharges(ctx)).map(({ memberName }) => memberName)).toEqual([expect.any(String)]);
    const { nextBefore } = await listUndelivered(operator, { limit: 2 });
    expect((await listUndelivered(operator, { before: nextBefore ?? '' })).incidents).toHaveLength(1);
  });

  it('are for founders', async () => {
    const { plain } = await scene();
    const refused = { code: 'forbidden' };
    await expect(listPendingCharges(plain)).rejects.toMatchObject(refused);
    await expect(listUndelivered(plain)).rejects.toMatchObject(refused);
    await expect(readDivergences(plain)).rejects.toMatchObject(refused);
    await expect(listRuns(plain, { job: 'retention' })).rejects.toMatchObject(refused);
    await expect(listUnregisteredProducts(plain, [])).rejects.toMatchObject(refused);
  });
});

it('the products that left the registry are found once each, with what is left of them, in their own account alone', async () => {
  const { ctx, owner, stranger } = await scene();
  await leaveProduct(service, owner, 'ancienne-gamme');
  await leaveProduct(service, owner, 'autre-gamme');
  const left = await listUnregisteredProducts(ctx, ['autre-gamme']);
  expect(left).toMatchObject([
    { productId: 'ancienne-gamme', assets: 3, bytes: 744_000n, generations: 1, running: 0, uploads: 0 },
  ]);
  expect((await listUnregisteredProducts(ctx, [])).map(({ productId }) => productId)).toEqual([
    'ancienne-gamme',
    'autre-gamme',
  ]);
  expect(await listUnregisteredProducts(stranger, [])).toEqual([]);
});

it('an avatar says where it was used, whatever its role there', async () => {
  const { ctx, owner, stranger } = await scene();
  await furnish(service, owner, { rows: 4 });
  const rows = await service.db.generation.findMany({ where: { accountId: owner.accountId }, take: 5 });
  const at = new Date();
  const assetId = await makeAsset(service, owner, {
    productId: 'libre',
    generationId: rows[0]?.id ?? '',
    at,
  });
  const { pathname } = await service.db.asset.findUniqueOrThrow({ where: { id: assetId } });
  const avatarIds = [createId('avatar'), createId('avatar')];
  for (const id of avatarIds)
    await service.db.avatar.create({
      data: { id, ...owner, productId: 'libre', assetId, name: 'Agnès', pathname, createdAt: at },
    });
  const file = { ref: assetId, pathname };
  const roles = [
    { character: [file] },
    { images: [{ ref: 'x' }, file] },
    { startImage: file },
    { fields: Object.fromEntries(avatarIds.map((ref) => [ref, { ref, pathname }])) },
  ];
  for (const [index, role] of roles.entries())
    await service.pool.query(`UPDATE "Generation" SET "references" = $2 WHERE "id" = $1`, [
      rows[index + 1]?.id,
      JSON.stringify({ roles: role }),
    ]);
  const page = await listAvatarsWithUses(ctx, { limit: 1 });
  expect(page.avatars).toMatchObject([{ useCount: 4, generationId: rows[0]?.id }]);
  expect(page.avatars[0]?.uses).toHaveLength(4);
  expect(page.products).toEqual([{ productId: 'libre', avatars: 2 }]);
  const next = await listAvatarsWithUses(ctx, { before: page.nextBefore ?? '', limit: 1 });
  expect(next.avatars[0]?.id).not.toBe(page.avatars[0]?.id);
  expect(next.nextBefore).toBeNull();
  expect((await listAvatarsWithUses(stranger)).avatars).toEqual([]);
});

describe('a template being filled in', () => {
  it('can be drawn from the first moment, and no example passes for the member’s words', async () => {
    const { ctx } = await scene();
    for (const { id } of TEMPLATES) {
      const check = await checkTemplate(ctx, { templateId: id, fields: {}, productId: 'libre' });
      expect(check.problems, id).toEqual([]);
      expect(check.pages, id).toBeGreaterThan(0);
      expect(check.missing.length, id).toBeGreaterThan(0);
    }
  });

  it('is told its problems where they stand in the form, empty items and leading spaces counted', async () => {
    const { ctx } = await scene();
    const slides = [{ title: 'Une' }, { title: ' ' }, { title: '  Deux — trois' }, { text: 'Quatre 日' }];
    const fields = { title: 'Titre', slides, closing: 'Fin' };
    const check = await checkTemplate(ctx, { templateId: 'carousel', fields, productId: 'libre' });
    expect(check.problems).toMatchObject([
      { field: 'slides[2].title', start: 7, end: 8, excerpt: '—' },
      { field: 'slides[3].text' },
    ]);
    // Two pages are enough: the one that was left empty is not sent.
    expect(check.missing).toEqual(['slides[3].title']);
    const one = { ...fields, slides: [{ title: '' }, { title: 'Une — deux' }] };
    const asked = await checkTemplate(ctx, { templateId: 'carousel', fields: one, productId: 'libre' });
    expect(asked.problems).toMatchObject([{ field: 'slides[1].title', start: 4 }]);
    expect(asked.missing).toEqual(['slides[0]']);
  });

  it('keeps what the template does not know, so that the check names it', () => {
    for (const template of TEMPLATES)
      expect(fillFields(template, { inconnu: 'x' }).fields, template.id).toMatchObject({ inconnu: 'x' });
    expect(TEMPLATES.length).toBeGreaterThan(0);
  });
});

it('providers are described by mode and by the names of what they lack, never by a value', () => {
  const env = parseEnv({
    SERVICE_ENV: 'development',
    DATABASE_URL: 'postgresql://localhost/x',
    SERVICE_SESSION_SECRET: 's'.repeat(32),
    SERVICE_PROVIDERS: 'gateway,elevenlabs',
    AI_GATEWAY_API_KEY: 'gateway-key-that-is-secret',
  });
  const states = describeProviders(env);
  expect(states).toMatchObject([
    { service: 'gateway', mode: 'live', missing: [] },
    { service: 'elevenlabs', mode: 'live', missing: ['ELEVENLABS_API_KEY', 'ELEVENLABS_VOICE_ID'] },
    { service: 'lipsync', mode: 'fixtures', missing: [] },
    { service: 'github', mode: 'fixtures', missing: [] },
  ]);
  expect(JSON.stringify(states)).not.toContain('secret');
  expect(describeModels()).toHaveLength(Object.keys(MODELS).length);
  expect(states.flatMap(({ cases }) => cases).sort()).toEqual(Object.keys(MODELS).sort());
});
