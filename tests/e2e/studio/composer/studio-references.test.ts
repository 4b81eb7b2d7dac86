import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { recordedBytes } from '#lib/providers/fixtures/recorded-files.ts';
import { generate, IMAGE } from '../../setup/scenes/studio.ts';
import { composed, useStudio } from '../../setup/scenes/use-studio.ts';

const { browser, visit, founder } = useStudio();
const strip = (page: Page) => page.getByRole('region', { name: 'Références' });
const choose = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('form[data-composer] input[type=file]').setInputFiles(files);
const clip = async (name = 'atelier.mp4') => ({
  name,
  mimeType: 'video/mp4',
  buffer: await recordedBytes('gateway', 'loop-1x1.mp4'),
});

describe('references', () => {
  it('take a clip straight to the store, with its progress, then its measured duration', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer?type=video');
    await composed(page).waitFor();
    await page.getByLabel('Modèle').selectOption('omni');
    await page.getByLabel('Demande', { exact: true }).fill('La même scène, sous la neige');
    // The upload to the store is withheld, so that its progress stays visible.
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route(
      (address) => address.origin !== new URL(browser.app.baseUrl).origin,
      async (route) => {
        if (route.request().method() === 'PUT') await opened;
        await route.continue();
      },
    );
    await choose(page, await clip());
    await strip(page).getByRole('progressbar', { name: 'Envoi d’atelier.mp4' }).waitFor();
    await page.getByText('Une référence arrive encore…').waitFor();
    expect(await page.getByRole('button', { name: 'Générer' }).isDisabled()).toBe(true);
    open();
    const reference = page.locator('[data-reference^="upl_"]');
    await reference.getByText(/^4\ss · atelier\.mp4$/).waitFor();
    expect(await reference.getByRole('combobox').inputValue()).toBe('clips');
    // Only the four seconds of the clip are billed: 4 × 0.13 $.
    await page.getByRole('button', { name: /Générer · retient 0,52/ }).waitFor();
    const upload = await seat.ctx.db.upload.findFirstOrThrow({ where: { accountId: seat.accountId } });
    expect(upload.durationMs).toBe(4_000);
  });

  it('refused say why in their place, before anything is sent when it can be known', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer?type=video');
    await composed(page).waitFor();
    await page.getByLabel('Modèle').selectOption('omni');
    const refusal = (name: string) =>
      strip(page).getByRole('listitem').filter({ hasText: name }).getByRole('alert');
    await choose(page, { name: 'devis.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
    await refusal('devis.pdf').getByText('Ce type de fichier n’est pas accepté').waitFor();
    await choose(page, { name: 'lourde.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024) });
    await refusal('lourde.png')
      .getByText(/^Cette image pèse 5\sMo, et ne doit pas dépasser 4\sMo\.$/)
      .waitFor();
    const folder = await mkdtemp(path.join(tmpdir(), 'atelier-clip-'));
    try {
      const heavy = path.join(folder, 'long.mp4');
      await writeFile(heavy, '');
      await truncate(heavy, 51 * 1024 * 1024);
      await choose(page, heavy);
      await refusal('long.mp4')
        .getByText(/Ce clip pèse 51\sMo/)
        .waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
    const lie = { ...(await clip('faux.mp4')), buffer: Buffer.from('ceci n’est pas un clip') };
    await choose(page, lie);
    await refusal('faux.mp4').waitFor();
    await choose(page, { name: 'fausse.png', mimeType: 'image/png', buffer: Buffer.from('pas une image') });
    await refusal('fausse.png')
      .getByText(/n’est pas accepté|pas du type annoncé|abîmée/)
      .waitFor();
    const told = (await strip(page).getByRole('alert').allTextContents()).join('\n');
    expect(told).not.toMatch(/interrompu|abouti/);
    expect(await seat.ctx.db.upload.count({ where: { accountId: seat.accountId } })).toBe(0);
    await page.getByLabel('Demande', { exact: true }).fill('Sans aucune de ces références');
    await page.getByRole('button', { name: 'Retirer devis.pdf' }).click();
    await refusal('devis.pdf').waitFor({ state: 'detached' });
  });

  it('of a lipsync are a finished voice and an avatar or a clip; the job starts with both', async () => {
    const seat = await founder();
    const voice = await generate(browser.app, seat, { kind: 'voice', text: 'Bienvenue chez Maison Lumen.' });
    const page = await visit(seat, '/creer?type=lipsync');
    await composed(page).waitFor();
    await page.getByLabel('Voix du journal').selectOption({ label: 'Bienvenue chez Maison Lumen.' });
    await choose(page, await clip('visage.mp4'));
    await page.locator('[data-reference^="upl_"]').waitFor();
    await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
    // A slow machine may see it once it is done.
    await page.locator('[data-sent="running"], [data-sent="done"]').first().waitFor();
    const row = await seat.ctx.db.generation.findFirstOrThrow({
      where: { accountId: seat.accountId, kind: 'LIPSYNC' },
    });
    expect(row.references).toMatchObject({ voiceGenerationId: voice, roles: { clips: [{}] } });
    await page.getByRole('button', { name: 'Retirer visage.mp4' }).click();
    const face = await generate(browser.app, seat, IMAGE);
    const [asset] = await seat.ctx.db.asset.findMany({ where: { generationId: face } });
    await page.getByLabel('Adresse d’une référence').fill(asset?.id ?? '');
    await page.getByLabel('Adresse d’une référence').press('Enter');
    await page.getByRole('combobox', { name: /^Rôle d/ }).selectOption('character');
    await page.getByRole('button', { name: /^Générer · retient 0,/ }).click();
    const where = { accountId: seat.accountId, kind: 'LIPSYNC' } as const;
    await expect.poll(() => seat.ctx.db.generation.count({ where })).toBe(2);
    for (const { id } of await seat.ctx.db.generation.findMany({ where }))
      await page.locator(`[data-result="${id}"]`).waitFor();
  });

  it('of a lipsync are the voices of the journal, the older ones on demand', async () => {
    const page = await visit(await founder(), '/creer?type=image');
    await composed(page).waitFor();
    const voice = (id: string, brief: string) => ({ id, kind: 'VOICE', status: 'done', params: { brief } });
    await page.route(/\/api\/generations\?kind=voice/, (route) => {
      const isOlder = new URL(route.request().url()).searchParams.get('cursor') === 'plus+loin';
      const latest = { generations: [voice('gen_2', 'La dernière')], nextCursor: 'plus+loin' };
      const oldest = { generations: [voice('gen_1', 'La première')], nextCursor: null };
      return route.fulfill({ json: isOlder ? oldest : latest });
    });
    await page.locator('input[name=kind][value=lipsync]').check();
    const choice = page.getByLabel('Voix du journal');
    const more = page.getByRole('button', { name: 'Chercher des voix plus anciennes' });
    await more.focus();
    await more.press('Enter');
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual(['Choisir une voix', 'La dernière', 'La première']);
    expect(await more.count()).toBe(0);
    await expect.poll(() => choice.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('of a lipsync are read again at a press when they could not be read', async () => {
    const page = await visit(await founder(), '/creer?type=image');
    await composed(page).waitFor();
    const voice = { id: 'gen_1', kind: 'VOICE', status: 'done', params: { brief: 'La voix' } };
    let isLost = true;
    await page.route(/\/api\/generations\?kind=voice/, (route) =>
      isLost ? route.abort() : route.fulfill({ json: { generations: [voice], nextCursor: null } }),
    );
    await page.locator('input[name=kind][value=lipsync]').check();
    const again = page.getByRole('button', { name: 'Réessayer' });
    await again.waitFor();
    isLost = false;
    await again.press('Enter');
    const choice = page.getByLabel('Voix du journal');
    await expect
      .poll(() => choice.locator('option').allTextContents())
      .toEqual(['Choisir une voix', 'La voix']);
    await expect.poll(() => choice.evaluate((one) => one === document.activeElement)).toBe(true);
    browser.forgetErrors();
  });
});
