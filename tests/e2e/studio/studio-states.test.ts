import { describe, expect, it } from 'vitest';
import { DISPLAYED_STATUSES, STATUS_LABELS } from '#lib/studio/generation/status-labels.ts';
import { reseat, seated } from '../setup/brain-page.ts';
import { failedAgo, fund, generate, IMAGE, RENDER, startedAgo } from '../setup/scenes/studio.ts';
import { composed, tile, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, visit, founder } = useStudio();
const VIDEO = { kind: 'video', case: 'veo' };

describe('the journal', () => {
  it('shows each status under its own label, with its sentence and what it cost, and filters by it', async () => {
    const seat = await founder();
    const rows = {
      done: await generate(browser.app, seat, IMAGE),
      running: await startedAgo(seat, { ...RENDER, fields: { ...RENDER.fields, author: 'En route' } }, 2),
      failed: await startedAgo(seat, { ...VIDEO, brief: 'Jamais finie' }, 130),
      quota: await failedAgo(seat, RENDER, 'quota', 20),
      'no-callback': await startedAgo(seat, RENDER, 110),
      deleted: await generate(browser.app, seat, { ...IMAGE, brief: 'Fichier perdu' }),
      cancelled: '',
    };
    await seat.ctx.db.generation.update({
      where: { id: rows.deleted },
      data: { filesDeletedAt: new Date() },
    });
    await fund(seat, 1n, { perGenerationCapMicros: 1n });
    rows.cancelled = await generate(browser.app, seat, { ...IMAGE, brief: 'Trop chère' });
    const page = await visit(seat, '/journal');
    const says: Partial<Record<keyof typeof rows, string>> = {
      failed: 'n’était pas terminée après deux heures',
      quota: 'Relancez-le au retour du quota',
      'no-callback': 'aucune réponse en 100 minutes',
      deleted: 'La ligne et son coût restent',
      cancelled: 'dépasse le plafond par génération',
    };
    for (const status of DISPLAYED_STATUSES) {
      const one = tile(page, rows[status]);
      await one.waitFor();
      expect(await one.getAttribute('data-status')).toBe(status);
      // What is decided of files is read once the list is there.
      if (status === 'done') await one.getByText('À vérifier').waitFor();
      const text = (await one.textContent()) ?? '';
      // A finished generation without a review shows « À vérifier » instead of « Terminé ».
      expect(text).toContain(status === 'done' ? 'À vérifier' : STATUS_LABELS[status]);
      expect(text).toContain(says[status] ?? '');
    }
    expect(await tile(page, rows.quota).textContent()).toContain('non débité');
    expect(await tile(page, rows.cancelled).textContent()).toContain('non débité');
    expect(await tile(page, rows.deleted).textContent()).toMatch(/0,0\d+\s\$US/);
    for (const status of ['quota', 'no-callback', 'cancelled', 'deleted'] as const) {
      await page.getByRole('link', { name: STATUS_LABELS[status], exact: true }).click();
      await page.waitForURL(new RegExp(`status=${status}`));
      await expect
        .poll(() =>
          page.locator('[data-generation]').evaluateAll((all) => all.map((one) => one.dataset.generation)),
        )
        .toEqual([rows[status]]);
    }
    const api = await page.request.get(`/api/generations/${rows['no-callback']}`);
    expect((await api.json()).label).toBe(STATUS_LABELS['no-callback']);
  });

  it('brings what another member asks for without a reload, and touches no other wallet', async () => {
    const seat = await founder();
    const other = await scenes().colleague(seat, ['generate']);
    await fund(other, 5_000_000n);
    await generate(browser.app, seat, { ...IMAGE, brief: 'Celle qui était là' });
    const before = await seat.ctx.db.wallet.findUniqueOrThrow({
      where: { memberId: seat.ctx.actor.memberId },
    });
    const journal = await seated(browser, seat);
    await journal.clock.install();
    await journal.goto('/journal');
    await journal.getByText('Celle qui était là').first().waitFor();
    const theirs = await visit(other, '/creer');
    await composed(theirs).waitFor();
    await theirs.getByLabel('Demande', { exact: true }).fill('Celle d’Inès');
    await theirs.getByRole('button', { name: 'Générer · retient 0,03' }).click();
    await theirs.locator('[data-sent="done"]').waitFor();
    await journal.clock.fastForward(11_000);
    await journal.getByRole('link', { name: 'Celle d’Inès' }).waitFor();
    await journal.getByText(/^2\sgénérations$/).waitFor();
    const wallet = (memberId: string) => seat.ctx.db.wallet.findUniqueOrThrow({ where: { memberId } });
    expect(await wallet(seat.ctx.actor.memberId)).toEqual(before);
    expect((await wallet(other.ctx.actor.memberId)).balanceMicros).toBe(4_970_000n);
    await reseat(browser, theirs, seat);
    await theirs.goto('/creer');
    await composed(theirs).waitFor();
    await theirs
      .getByLabel('Aperçu')
      .getByText(/19,97\s\$US/)
      .first()
      .waitFor();
  });
});

describe('a render that did not succeed', () => {
  it('is started again with one press: a new row, told by the old one’s name, that ends by itself', async () => {
    const seat = await founder();
    const [failed, blackout] = [
      await failedAgo(seat, RENDER, 'internal-error', 30),
      await failedAgo(seat, RENDER, 'quota', 20),
    ];
    const page = await visit(seat, `/journal/${failed}`);
    await page.getByRole('button', { name: 'Relancer ce rendu' }).waitFor();
    await page.goto(`/journal/${blackout}`);
    await page.getByText('Relancez-le au retour du quota', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: /^Relancer ce rendu · retient 0,10\s\$US$/ }).click();
    await page.waitForURL((address) => !address.pathname.endsWith(blackout));
    await page.getByRole('link', { name: 'la ligne d’origine' }).waitFor();
    await page.getByRole('button', { name: 'Approuver et garder' }).waitFor();
    const [again] = await seat.ctx.db.generation.findMany({ where: { relaunchOfId: blackout } });
    expect(again).toMatchObject({ state: 'COMPLETED', closedBy: 'callback' });
    expect(new URL(page.url()).pathname).toBe(`/journal/${again?.id}`);
  });

  it('uses the same key after a lost answer, and a new one after an attempt that made a failed row', async () => {
    const seat = await founder();
    const failed = await failedAgo(seat, RENDER, 'internal-error', 30);
    const page = await visit(seat, `/journal/${failed}`);
    const keys: (string | undefined)[] = [];
    const error = { code: 'provider-failure', message: 'Le rendu a échoué encore.', subject: failed };
    await page.route(`**/api/generations/${failed}/relaunch`, async (route) => {
      keys.push((await route.request().allHeaders())['idempotency-key']);
      if (keys.length === 1) return route.abort();
      return keys.length === 2 ? route.fulfill({ status: 502, json: { error } }) : route.continue();
    });
    const press = page.getByRole('button', { name: 'Relancer ce rendu' });
    await press.click();
    await page.getByText('La connexion a été perdue').first().waitFor();
    await press.click();
    await page.getByText(error.message).first().waitFor();
    await press.click();
    await page.waitForURL((address) => !address.pathname.endsWith(failed));
    const [first, second, third] = keys;
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(await seat.ctx.db.generation.count({ where: { relaunchOfId: failed } })).toBe(1);
    browser.forgetErrors();
  });
});
