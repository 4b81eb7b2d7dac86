import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';
import { panel, row, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { untilQuiet } from '../setup/quiet.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

describe('a Space without a Memory', () => {
  it('offers import first, and takes a Word file dropped anywhere on it into the pillar that is chosen', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Vide');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    await page.getByRole('heading', { name: 'Apportez ce que vous avez déjà écrit' }).waitFor();
    await page.getByRole('button', { name: 'Importer des documents' }).click();
    await panel(page).getByText('Choisir des fichiers, ou les déposer ici').waitFor();
    // Opened again, the field is empty, so that choosing the same file again fires an event.
    const field = panel(page).locator('input[type=file][accept]');
    const draft = { name: 'essai.md', mimeType: 'text/markdown', buffer: Buffer.from('# Essai') };
    await field.setInputFiles(draft);
    const chooser = page.waitForEvent('filechooser');
    await panel(page).getByText('essai.md').click();
    await chooser;
    expect(await field.evaluate((input: HTMLInputElement) => input.files?.length)).toBe(0);
    await panel(page).getByText('essai.md').waitFor();
    // Switching to « Page web » or dropping a text keeps the chosen files, and the typed address.
    const address = panel(page).getByLabel('Adresse de la page');
    const pillar = panel(page).getByLabel('Pilier');
    await panel(page).getByRole('radio', { name: 'Page web' }).check({ force: true });
    await address.fill('https://exemple.fr/a-propos');
    await pillar.selectOption('PEOPLE');
    await panel(page).getByRole('radio', { name: 'Fichiers' }).check({ force: true });
    expect(await pillar.inputValue()).toBe('PEOPLE');
    await panel(page).getByRole('radio', { name: 'Page web' }).check({ force: true });
    expect(await address.inputValue()).toBe('https://exemple.fr/a-propos');
    await panel(page).getByRole('radio', { name: 'Fichiers' }).check({ force: true });
    const words = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.setData('text/plain', 'Un mot');
      return transfer;
    });
    await panel(page).getByText('essai.md').dispatchEvent('drop', { dataTransfer: words });
    await panel(page).getByText('Ce que vous avez déposé ne contient aucun fichier.').waitFor();
    await panel(page).getByText('essai.md').waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });

    const docx = makeDocx(paragraph('Le ton', 'Titre1') + paragraph('Nous vouvoyons.'));
    const data = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(bytes)], 'ton.docx'));
        return transfer;
      },
      [...docx],
    );
    /** Whether the page handles a drop there. Otherwise the browser would open the file in place of the page. */
    const isHeld = (place: string) =>
      page
        .locator(place)
        .last()
        .evaluate((element, dataTransfer) => {
          const init = { bubbles: true, cancelable: true, dataTransfer };
          return ['dragover', 'drop'].every((type) => !element.dispatchEvent(new DragEvent(type, init)));
        }, data);
    // What hears a drop is a part of its own, which the page loads after its other parts.
    await untilQuiet(page);
    // In the dialog, but outside the area that accepts files.
    await page.getByRole('button', { name: 'Importer des documents' }).click();
    await panel(page).getByText('Choisir des fichiers, ou les déposer ici').waitFor();
    expect(await isHeld('[data-panel] h2')).toBe(true);
    await page.getByText('Ces fichiers n’ont pas été pris').first().waitFor();
    await panel(page).getByText('Choisir des fichiers, ou les déposer ici').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-panel]').waitFor({ state: 'detached' });
    await page.locator('h1').dispatchEvent('dragenter', { dataTransfer: data });
    await page.getByText('Déposez pour importer dans cet espace').waitFor();
    await page.locator('h1').dispatchEvent('drop', { dataTransfer: data });
    await panel(page).getByText('ton.docx').waitFor();
    await panel(page).getByLabel('Pilier').selectOption('GUIDELINES');
    await panel(page).getByRole('button', { name: 'Importer les fichiers' }).click();
    await page.getByText('1 mémoire ajoutée').waitFor();
    await row(page, 'Le ton').waitFor();
    await expect
      .poll(() => page.getByRole('heading', { name: 'Apportez ce que vous avez déjà écrit' }).count())
      .toBe(0);
    const [memory] = await seat.ctx.db.memory.findMany({ where: { spaceId } });
    expect(memory).toMatchObject({ role: 'GUIDELINES', body: 'Nous vouvoyons.', source: 'UPLOAD' });
    // A page that accepts no files handles drops too, once its scripts are loaded.
    await page.goto('/espaces');
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'ton.docx'));
      return transfer;
    });
    const isPassed = () =>
      page
        .locator('main')
        .evaluate(
          (element, dataTransfer) =>
            element.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })),
          dropped,
        );
    await expect.poll(isPassed).toBe(false);
  });

  it('still says that its files are on their way after a look at « Page web », and does not send them twice', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Lente');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const { promise: answered, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/imports', async (route) => {
      if (route.request().method() === 'POST') await answered;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Importer des documents' }).click();
    const buffer = Buffer.from('# Essai\n\nUn texte.');
    const field = panel(page).locator('input[type=file][accept]');
    await field.setInputFiles({ name: 'essai.md', mimeType: 'text/markdown', buffer });
    await panel(page).getByRole('button', { name: 'Importer les fichiers' }).click();
    await panel(page).getByRole('radio', { name: 'Page web' }).check({ force: true });
    await panel(page).getByRole('radio', { name: 'Fichiers' }).check({ force: true });
    await panel(page).getByText('essai.md').waitFor();
    await panel(page).getByRole('button', { name: 'En cours…' }).waitFor();
    expect(await panel(page).getByRole('button', { name: 'Importer les fichiers' }).count()).toBe(0);
    letGo();
    await page.getByText('1 mémoire ajoutée').waitFor();
    expect(await seat.ctx.db.importJob.count({ where: { spaceId } })).toBe(1);
  });
});

describe('a folder of sixty files', () => {
  it('Word and Markdown, under the names of pillars, is imported whole and its context copied, in five clicks', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'atelier-folder-'));
    const pillars = ['Identité', 'Charte', 'Connaissances', 'Offre', 'Publics'];
    for (const [at, pillar] of pillars.entries()) {
      mkdirSync(path.join(folder, 'Marque', pillar), { recursive: true });
      for (let n = 0; n < 12; n++) {
        const text = `Phrase ${at}-${n} de la maison. `.repeat(20);
        const [name, bytes] =
          n % 2 === 0
            ? [`texte-${n}.docx`, makeDocx(paragraph(`Titre ${at}-${n}`, 'Titre1') + paragraph(text))]
            : [`texte-${n}.md`, Buffer.from(`# Titre ${at}-${n}\n\n${text}`)];
        writeFileSync(path.join(folder, 'Marque', pillar, name), bytes);
      }
    }
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Pleine');
    const page = await visit(browser, seat, `/espaces/${spaceId}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const startedAt = performance.now();
    await page.getByRole('button', { name: 'Importer des documents' }).click();
    await panel(page).getByLabel('Choisir un dossier entier').setInputFiles(path.join(folder, 'Marque'));
    await panel(page).getByText('60 fichiers').waitFor();
    await panel(page).getByRole('button', { name: 'Importer les fichiers' }).click();
    await page.getByText('60 mémoires ajoutées').waitFor();
    const importedAt = performance.now();
    await page.getByRole('button', { name: 'Copier le contexte' }).click();
    // Sixty texts exceed the default length of a context: a message says so for five seconds, before the text is copied.
    await page.getByText('Ce contexte est partiel').waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Titre 4-11');
    console.log(
      `60 files imported in ${((importedAt - startedAt) / 1000).toFixed(1)} s, their context copied in ${((performance.now() - importedAt) / 1000).toFixed(1)} s`,
    );
    rmSync(folder, { recursive: true });
    const counts = await seat.ctx.db.memory.groupBy({ by: ['role'], where: { spaceId }, _count: true });
    expect(counts.map(({ _count }) => _count)).toEqual([12, 12, 12, 12, 12]);
  });
});

describe('an import under way', () => {
  /** Adds an import with a lease of one hour, so that no process here continues it. */
  async function startElsewhere(seat: Seat, spaceId: string): Promise<string> {
    const { accountId, memberId } = seat.ctx.actor;
    const at = new Date();
    const id = createId('importJob', at);
    const leaseUntil = new Date(at.getTime() + 3_600_000);
    await seat.ctx.db.importJob.create({
      data: {
        id,
        accountId,
        memberId,
        spaceId,
        label: 'Charte',
        source: 'UPLOAD',
        total: 3,
        refused: [],
        leaseUntil,
        createdAt: at,
        updatedAt: at,
      },
    });
    return id;
  }

  it('is polled while its page is open, until the session ends, which the page says', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Suivie');
    await scenes.memory(seat, spaceId, { title: 'Une première' });
    await startElsewhere(seat, spaceId);
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/brain/imports/')) asked += 1;
    });
    await page.getByText('Import de Charte').first().waitFor();
    await expect.poll(() => asked).toBeGreaterThan(1);
    await page.context().clearCookies();
    const again = page.getByRole('link', { name: 'reconnectez-vous' });
    await again.waitFor();
    expect(await again.getAttribute('href')).toBe(`/connexion?retour=/espaces/${spaceId}`);
    const last = asked;
    await page.waitForTimeout(3_000);
    expect(asked).toBe(last);
    browser.forgetErrors();
  });

  it('is no longer polled once it is deleted, which the page says in a message that can be hidden', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Oubliée');
    await scenes.memory(seat, spaceId, { title: 'Une première' });
    const id = await startElsewhere(seat, spaceId);
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    // The live region exists from the start and is not replaced; only its text changes.
    await page
      .getByRole('status')
      .filter({ hasText: 'Import de Charte' })
      .evaluate((region) => region.setAttribute('data-first', ''));
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().includes('/api/brain/imports/')) asked += 1;
    });
    await expect.poll(() => asked).toBeGreaterThan(1);
    await seat.ctx.db.importJob.delete({ where: { id } });
    const gone = page.getByRole('status').filter({ hasText: 'il n’est plus suivi' });
    await gone.waitFor();
    expect(await gone.getAttribute('data-first')).toBe('');
    const last = asked;
    await page.waitForTimeout(3_000);
    expect(asked).toBe(last);
    await gone.getByRole('button', { name: 'Masquer' }).click();
    await expect.poll(() => gone.count()).toBe(0);
    browser.forgetErrors();
  });
});

describe('the report of an import', () => {
  it('passes the focus, once hidden, to the report beside it; the last one passes it to the page', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Lue');
    await scenes.memory(seat, spaceId, { title: 'Une première' });
    const { accountId, memberId } = seat.ctx.actor;
    const at = new Date();
    await seat.ctx.db.importJob.createMany({
      data: ['Charte', 'Ton'].map((label) => ({
        id: createId('importJob', at),
        accountId,
        memberId,
        spaceId,
        label,
        source: 'UPLOAD' as const,
        state: 'DONE' as const,
        total: 1,
        done: 1,
        created: 1,
        refused: [],
        createdAt: at,
        updatedAt: at,
        finishedAt: at,
      })),
    });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const report = (label: string) => page.getByRole('listitem').filter({ hasText: `Import de ${label}` });
    const hide = (label: string) => report(label).getByRole('button', { name: 'Masquer' });
    await hide('Charte').click();
    await report('Charte').waitFor({ state: 'detached' });
    await hide('Ton').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await report('Ton').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  });
});

describe('a new account', () => {
  it('is told its first steps, each leading to where it is done, until it puts them away', async () => {
    const seat = await scenes.seat();
    const page = await visit(browser, seat, '/espaces');
    const steps = page.getByRole('region', { name: 'Pour bien commencer' });
    await steps.getByText('0 sur 5').waitFor();
    // A step that is not possible yet says when it will be.
    await steps
      .getByRole('listitem')
      .filter({ hasText: 'Importer des textes' })
      .getByText('après le premier espace')
      .waitFor();
    await steps.getByRole('link', { name: 'Créer un premier espace' }).click();
    await panel(page).getByLabel('Nom').fill('Maison Première');
    await panel(page).getByRole('button', { name: 'Créer l’espace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Maison Première' }).waitFor();

    await page.goto('/espaces');
    await steps.getByText('1 sur 5').waitFor();
    await steps.getByRole('link', { name: 'Importer des textes dans un espace' }).click();
    await page.getByRole('dialog', { name: 'Importer dans cet espace' }).waitFor();
    await page.goto('/espaces');
    await steps.getByRole('link', { name: 'Inviter un collègue' }).click();
    await page.getByRole('dialog', { name: 'Inviter un membre' }).waitFor();
    await page.goto('/espaces');
    await steps.getByRole('button', { name: 'Masquer' }).click();
    await page.getByText('Liste masquée').waitFor();
    await expect.poll(() => steps.count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Espaces' }).waitFor();
    expect(await steps.count()).toBe(0);
  });
});

describe('a long text that is pasted', () => {
  it('is offered to be divided at once, right above the button that adds it', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Longue');
    await scenes.memory(seat, spaceId, { title: 'Une première' });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    await page.getByRole('button', { name: 'Ajouter une mémoire', exact: true }).click();
    const long = ['# Ton', '# Mots', '# Images'].map((title) => `${title}\n\n${'Une phrase. '.repeat(120)}`);
    await panel(page).getByLabel('Titre', { exact: true }).fill('Charte');
    await panel(page)
      .getByLabel('Texte')
      .evaluate((field: HTMLTextAreaElement, text) => {
        field.focus();
        field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true }));
        document.execCommand('insertText', false, text);
      }, long.join('\n\n'));
    const offer = panel(page).getByText('Diviser ce texte en 4 mémoires');
    await offer.waitFor();
    const button = panel(page).getByRole('button', { name: 'Ajouter la mémoire' });
    const [above, below] = [await offer.boundingBox(), await button.boundingBox()];
    const gap = (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0));
    expect(gap).toBeGreaterThan(0);
    expect(gap).toBeLessThan(120);
    await button.click();
    await page.getByText('4 mémoires ajoutées').waitFor();
  });
});

describe('a line of the audit', () => {
  it('says what changed, leads to what it is about, and to all that happened to it', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Maison Suivie');
    const page = await visit(browser, seat, '/audit');
    const line = page.getByRole('listitem').filter({ hasText: 'a créé l’espace' });
    await line.getByText('a créé l’espace').click();
    await line.getByText('Type d’espace').waitFor();
    // The exact record is below, collapsed.
    const record = line.getByText('space.created', { exact: true });
    expect(await record.isVisible()).toBe(false);
    await line.getByText('Enregistrement exact').click();
    await record.waitFor();
    await line.getByText(spaceId, { exact: true }).waitFor();
    await line.getByRole('link', { name: 'Tout ce qui lui est arrivé' }).click();
    await page.waitForURL(`**/audit?objet=${spaceId}`);
    await page.getByText('Espace\u00a0: Maison Suivie').first().waitFor();
    await page.getByRole('link', { name: 'Voir Espace\u00a0: Maison Suivie' }).click();
    await page.getByRole('heading', { level: 1, name: 'Maison Suivie' }).waitFor();
  });
});
