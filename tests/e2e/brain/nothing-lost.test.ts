import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { changeSpace } from '#lib/brain/spaces/change-space.ts';
import { goOffline, memories, panel, row, seated, toastsReady, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { gotoQuiet } from '../setup/quiet.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';
import { isFirst, markDocument } from '../setup/scenes/readings.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(inject('app'));
});
afterAll(() => scenes?.close());

const text = (page: Page) => panel(page).getByRole('textbox', { name: 'Texte' }).last();
const toast = (page: Page, words: string) => page.getByRole('dialog').filter({ hasText: words });
/** The message of a deletion stands ten seconds, and longer while the pointer rests on it; a later deletion joins it only while it stands. */
const restOnMessage = (page: Page) => toast(page, 'supprimée').first().hover();
/** Restores the text that was set aside, and waits until its message is gone: the replaced text may be offered by another message. */
async function takeBack(page: Page) {
  const button = await page.getByRole('button', { name: 'Reprendre mon texte' }).elementHandle();
  await button?.click();
  await button?.waitForElementState('hidden');
}

describe('what one types of a new Memory', () => {
  it('is there again at its own place after Escape, a click outside and a reload, until it is added', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Brouillons');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const open = (pillar: string) =>
      page.getByRole('button', { name: `Ajouter une mémoire dans ${pillar}` }).click();
    await open('Identité');
    await panel(page).getByLabel('Titre', { exact: true }).fill('Promesse');
    await text(page).fill('Un long texte écrit à la main.');
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await page.reload();
    await open('Publics');
    expect(await text(page).inputValue()).toBe('');
    await page.mouse.click(4, 400);
    await panel(page).waitFor({ state: 'detached' });
    await open('Identité');
    await panel(page).getByText('Voici ce que vous aviez écrit ici sans l’ajouter.').waitFor();
    expect(await panel(page).getByLabel('Titre', { exact: true }).inputValue()).toBe('Promesse');
    await panel(page).getByRole('button', { name: 'Repartir de zéro' }).click();
    expect(await text(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Reprendre mon texte' }).click();
    await expect.poll(() => text(page).inputValue()).toBe('Un long texte écrit à la main.');
    await panel(page).getByRole('button', { name: 'Ajouter la mémoire' }).click();
    await row(page, 'Promesse').waitFor();
    await open('Identité');
    expect(await text(page).inputValue()).toBe('');
    expect((await memories(spaceId, seat)).map(({ body }) => body)).toEqual([
      'Un long texte écrit à la main.',
    ]);
    // Text typed while the request is pending becomes a draft of the new Memory.
    const held = Promise.withResolvers<void>();
    await page.route('**/espaces/**', async (route) => {
      if (route.request().method() === 'POST') await held.promise;
      await route.continue();
    });
    await panel(page).getByLabel('Titre', { exact: true }).fill('Suite');
    await text(page).fill('Une phrase.');
    await panel(page).getByRole('button', { name: 'Ajouter la mémoire' }).click();
    await text(page).fill('Une phrase, et une autre.');
    held.resolve();
    await row(page, 'Suite').getByText('Brouillon', { exact: true }).waitFor();
    await row(page, 'Suite').click();
    await panel(page).getByText('Voici ce que vous aviez écrit sans l’enregistrer.').waitFor();
    expect(await text(page).inputValue()).toBe('Une phrase, et une autre.');
  });

  it('set aside and restored overwrites nothing: the text typed since is set aside in turn', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Repris');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const open = () => page.getByRole('button', { name: 'Ajouter une mémoire dans Identité' }).click();
    await open();
    await text(page).fill('Un premier texte.');
    await page.reload();
    await open();
    await panel(page).getByRole('button', { name: 'Repartir de zéro' }).click();
    await text(page).fill('Un second.');
    await takeBack(page);
    expect(await text(page).inputValue()).toBe('Un premier texte.');
    await takeBack(page);
    expect(await text(page).inputValue()).toBe('Un second.');
  });

  it('makes the browser ask before its tab is closed, until it is added', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Onglet fermé');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.dismiss();
    });
    await page.getByRole('button', { name: 'Ajouter une mémoire dans Identité' }).click();
    await panel(page).getByLabel('Titre', { exact: true }).click();
    await page.keyboard.type('Promesse');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toBe(1);
    await text(page).fill('Éclairer sans éblouir.');
    await panel(page).getByRole('button', { name: 'Ajouter la mémoire' }).click();
    await row(page, 'Promesse').waitFor();
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
    expect(asked).toBe(1);
  });

  it('is offered in parts when it is long, even without a heading, and only if one asks', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Sans titres');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    await page.getByRole('button', { name: 'Ajouter une mémoire dans Identité' }).click();
    await panel(page).getByLabel('Titre', { exact: true }).fill('Récit');
    const told = ['Hier', 'Demain', 'Plus tard'].map((word) =>
      `${word} ${'la cire coule. '.repeat(120)}`.trim(),
    );
    await text(page).fill(told.join('\n\n').replace('Hier', 'Jadis'));
    const share = panel(page).getByLabel('Diviser ce texte en 3 mémoires');
    await share.waitFor();
    expect(await share.isChecked()).toBe(false);
    await share.check();
    // A later correction of the text does not reset the choice, even if it is sent at once.
    await text(page).fill(told.join('\n\n'));
    await panel(page).getByRole('button', { name: 'Ajouter la mémoire' }).click();
    await page.getByText('3 mémoires ajoutées').waitFor();
    const written = await memories(spaceId, seat);
    expect(written.map(({ body }) => body)).toEqual(told);
    expect(written.map(({ title }) => title.slice(0, 12))).toEqual(['Récit', 'Demain la ci', 'Plus tard la']);
  });
});

describe('what one types of a Memory that is opened anew while its saving is awaited', () => {
  it('is not part of what was saved, and stays a draft', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Réseau lent');
    const id = await scenes.memory(seat, spaceId, { title: 'Ton', body: 'Calme.' });
    await scenes.memory(seat, spaceId, { title: 'Mots', body: 'Simples.' });
    const page = await visit(browser, seat, `/espaces/${spaceId}?memoire=${id}`);
    const open = async (title: string, body: string) => {
      await row(page, title).click();
      await expect.poll(() => text(page).inputValue()).toBe(body);
    };
    const held = Promise.withResolvers<void>();
    await page.route('**/espaces/**', async (route) => {
      if (route.request().method() === 'POST') await held.promise;
      await route.continue();
    });
    await text(page).fill('Calme et net.');
    await page.keyboard.press('Control+s');
    await open('Mots', 'Simples.');
    await open('Ton', 'Calme et net.');
    await text(page).fill('Calme, net et bref.');
    held.resolve();
    await page.getByText('Mémoire enregistrée').waitFor();
    await open('Mots', 'Simples.');
    await open('Ton', 'Calme, net et bref.');
    expect((await memories(spaceId, seat)).map(({ body }) => body)).toContain('Calme et net.');
  });
});

describe('what one writes with the keyboard alone', () => {
  it('is saved by Ctrl and S, and a copy of Google Docs becomes Markdown that one undo takes back', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Clavier');
    const id = await scenes.memory(seat, spaceId, { title: 'Ton', body: 'Calme.' });
    const page = await visit(browser, seat, `/espaces/${spaceId}?memoire=${id}`);
    await text(page).focus();
    await page.keyboard.press('Control+a');
    await text(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/html', '<h2>Ton</h2><ul><li>Calme</li><li>Précis</li></ul>');
      clipboardData.setData('text/plain', 'Ton Calme Précis');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    const pasted = '## Ton\n\n- Calme\n- Précis';
    await expect.poll(() => text(page).inputValue()).toBe(pasted);
    await page.keyboard.press('Control+z');
    await expect.poll(() => text(page).inputValue()).toBe('Calme.');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+s');
    await page.getByText('Mémoire enregistrée').waitFor();
    expect((await memories(spaceId, seat))[0]?.body).toBe(pasted);
    // The answer to a save is lost: the saved text is no longer a draft, and text typed next causes no conflict.
    await page.route('**/espaces/**', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await text(page).fill('Précis.');
    await page.keyboard.press('Control+s');
    await panel(page).getByText('La connexion a été perdue avant la réponse').waitFor();
    await page.unroute('**/espaces/**');
    await page.reload();
    await expect.poll(() => text(page).inputValue()).toBe('Précis.');
    await expect
      .poll(() =>
        page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('brouillon:'))),
      )
      .toEqual([]);
    await text(page).fill('Précis et calme.');
    await page.keyboard.press('Control+s');
    await expect.poll(async () => (await memories(spaceId, seat))[0]?.body).toBe('Précis et calme.');
    expect(await panel(page).getByRole('region', { name: 'Deux versions' }).count()).toBe(0);
    browser.forgetErrors();
  });
});

describe('what one takes away', () => {
  it('comes back together after several deletions, and is offered again when the network was lost', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Suppressions');
    for (const title of ['Alpha', 'Bêta', 'Gamma', 'Delta']) await scenes.memory(seat, spaceId, { title });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    for (const title of ['Alpha', 'Bêta', 'Gamma', 'Delta']) {
      await row(page, title).focus();
      await page.keyboard.press('Delete');
      await row(page, title).waitFor({ state: 'detached' });
      await restOnMessage(page);
    }
    const said = toast(page, '4 mémoires supprimées');
    await said.waitFor();
    await page.context().setOffline(true);
    const pressed = await said.getByRole('button', { name: 'Annuler' }).elementHandle();
    await pressed?.click();
    await page.getByText('La connexion a été perdue').first().waitFor();
    // The message that was pressed leaves; the one that offers it again stays.
    await pressed?.waitForElementState('hidden');
    await page.context().setOffline(false);
    await said.last().getByRole('button', { name: 'Annuler' }).click();
    await page.getByText('4 mémoires rétablies').waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(4);
    browser.forgetErrors();
  });

  it('is restored even if a later deletion was already undone elsewhere', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Deux fenêtres');
    for (const title of ['Alpha', 'Bêta']) await scenes.memory(seat, spaceId, { title });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    for (const title of ['Alpha', 'Bêta']) {
      await row(page, title).focus();
      await page.keyboard.press('Delete');
      await row(page, title).waitFor({ state: 'detached' });
      await restOnMessage(page);
    }
    const said = toast(page, '2 mémoires supprimées');
    await said.waitFor();
    const { deletionId } = await seat.ctx.db.memory.findFirstOrThrow({ where: { spaceId, title: 'Bêta' } });
    await undoDelete(seat.ctx, { deletionId: deletionId ?? '' });
    await said.getByRole('button', { name: 'Annuler' }).click();
    await page.getByText('Mémoire rétablie').first().waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    expect(await memories(spaceId, seat)).toHaveLength(2);
  });

  it('in the editor is restored by one press: a draft replaced by the saved text, or by another writer’s', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Versions');
    const id = await scenes.memory(seat, spaceId, { title: 'Ton', body: 'Calme.' });
    const page = await visit(browser, seat, `/espaces/${spaceId}?memoire=${id}`);
    await text(page).fill('Calme, et drôle.');
    await page.reload();
    await panel(page).getByRole('button', { name: 'Revenir au texte enregistré' }).click();
    expect(await text(page).inputValue()).toBe('Calme.');
    await page.getByRole('button', { name: 'Reprendre mon texte' }).click();
    await expect.poll(() => text(page).inputValue()).toBe('Calme, et drôle.');
    const other = await visit(browser, seat, `/espaces/${spaceId}?memoire=${id}`);
    await text(other).fill('Calme et précis.');
    await panel(other).getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await other.getByText('Mémoire enregistrée').waitFor();
    await panel(page).getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await panel(page).getByRole('button', { name: 'Prendre sa version' }).click();
    expect(await text(page).inputValue()).toBe('Calme et précis.');
    await page.getByRole('button', { name: 'Reprendre mon texte' }).last().click();
    await expect.poll(() => text(page).inputValue()).toBe('Calme, et drôle.');
    // A colleague renames the Space while the dialog shows its old name: only the website is sent.
    await page.goto(`/espaces/${spaceId}`);
    await page.getByRole('button', { name: 'Actions de l’espace' }).click();
    await page.getByRole('menuitem', { name: 'Renommer, site web' }).click();
    await panel(page)
      .getByLabel(/^Site web/)
      .fill('exemple.fr');
    await changeSpace(seat.ctx, { spaceId, name: 'Nom du collègue' });
    await panel(page).getByRole('button', { name: 'Enregistrer', exact: true }).click();
    await page.getByText('Espace modifié').first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'Nom du collègue' }).waitFor();
    const space = await seat.ctx.db.space.findUniqueOrThrow({ where: { id: spaceId } });
    expect([space.name, space.websiteUrl]).toEqual(['Nom du collègue', 'https://exemple.fr']);
  });

  it('in the editor is restored without loss: the text typed since is set aside in turn, in a reopened panel too', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Entre-temps');
    const id = await scenes.memory(seat, spaceId, { title: 'Ton', body: 'Calme.' });
    const page = await visit(browser, seat, `/espaces/${spaceId}?memoire=${id}`);
    await text(page).fill('Calme, et drôle.');
    await page.reload();
    await panel(page).getByRole('button', { name: 'Revenir au texte enregistré' }).click();
    await text(page).fill('Précis.');
    await takeBack(page);
    expect(await text(page).inputValue()).toBe('Calme, et drôle.');
    await takeBack(page);
    expect(await text(page).inputValue()).toBe('Précis.');
    await text(page).focus();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await row(page, 'Ton').click();
    await panel(page).getByText('Voici ce que vous aviez écrit sans l’enregistrer.').waitFor();
    await takeBack(page);
    expect(await text(page).inputValue()).toBe('Calme, et drôle.');
  });

  it('is shown as deleted at its own address, where it can be restored', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Disparue');
    const id = await scenes.memory(seat, spaceId, { title: 'Retrouvée' });
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const reads: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().endsWith(id)) reads.push(request.url());
    });
    // Deleted right after it is focused, before it would be loaded in advance: a deleted Memory is not requested.
    await row(page, 'Retrouvée').evaluate((element) => {
      element.focus();
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true, cancelable: true }));
    });
    await row(page, 'Retrouvée').waitFor({ state: 'detached' });
    await toast(page, 'supprimée').waitFor();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    expect(reads).toEqual([]);
    await page.goto(`/espaces/${spaceId}?memoire=${id}`);
    await page
      .getByRole('dialog', { name: 'Retrouvée' })
      .getByText('Cette mémoire a été supprimée')
      .waitFor();
    await panel(page).getByRole('button', { name: 'Rétablir la mémoire' }).click();
    await text(page).waitFor();
    await row(page, 'Retrouvée').waitFor();
  });
});

describe('what is shown once', () => {
  it('stays until one says that it is copied: a key’s secret outlives Escape and a click beside it', async () => {
    const seat = await scenes.seat();
    const page = await visit(browser, seat, '/developpeurs');
    await page.getByRole('button', { name: 'Créer une clé' }).first().click();
    await panel(page).getByRole('textbox', { name: 'Nom' }).fill('Boutique');
    await panel(page).getByRole('button', { name: 'Créer la clé' }).click();
    // Escape is pressed while the key is being created.
    await page.keyboard.press('Escape');
    const secret = panel(page).locator('code', { hasText: /^atl_/ }).first();
    await secret.waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    await page.waitForTimeout(400);
    expect(await secret.isVisible()).toBe(true);
    expect(await panel(page).getByRole('button', { name: 'Fermer' }).count()).toBe(0);
    await panel(page).getByRole('button', { name: 'J’ai copié la clé' }).click();
    await panel(page).waitFor({ state: 'detached' });
  });

  it('is there for a first key, made in the middle of the empty page, and for the key that takes its place at once', async () => {
    const seat = await scenes.seat();
    const page = await visit(browser, seat, '/developpeurs');
    const secret = panel(page).locator('code', { hasText: /^atl_/ }).first();
    const putAway = async () => {
      await secret.waitFor();
      // Longer than the page takes to refresh after the answer.
      await page.waitForTimeout(800);
      expect(await secret.isVisible()).toBe(true);
      await panel(page).getByRole('button', { name: 'J’ai copié la clé' }).click();
      await panel(page).waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Créer une clé' }).last().click();
    await panel(page).getByRole('textbox', { name: 'Nom' }).fill('Boutique');
    await panel(page).getByRole('button', { name: 'Créer la clé' }).click();
    await putAway();
    await page
      .getByRole('row', { name: /Boutique/ })
      .getByRole('button', { name: 'Remplacer' })
      .click();
    await panel(page).getByLabel('L’ancienne clé s’arrête').selectOption('0');
    await panel(page).getByRole('button', { name: 'Remplacer la clé' }).click();
    await putAway();
    await page.getByText('Toutes (2)').waitFor();
    // The row with the focused button was removed: the focus moves to the row in its place.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('tr')?.textContent))
      .toContain('Boutique');
    const { accountId } = seat;
    expect(await seat.ctx.db.developerKey.count({ where: { accountId } })).toBe(2);
  });
});

describe('a context copied from its Space', () => {
  it('is the text of the Space; a failed reading is not reported as a refusal of the browser', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Copie');
    await scenes.memory(seat, spaceId, { title: 'Promesse', body: 'Éclairer sans éblouir.' });
    const page = await visit(browser, seat, `/espaces/${spaceId}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    // It says so for two seconds: the page itself looks.
    const copied = page.waitForFunction(() =>
      [...document.querySelectorAll('button')].some((one) => one.textContent === 'Copié'),
    );
    await page.getByRole('button', { name: 'Copier le contexte' }).click();
    await copied;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Éclairer sans éblouir.');
    await toastsReady(page);
    await page.getByRole('button', { name: 'Copier le contexte' }).waitFor();
    // Offline, an export would replace the page with a browser error, so it waits.
    await page.getByRole('button', { name: 'Actions de l’espace' }).click();
    const exported = page.getByRole('menuitem', { name: 'Exporter en JSON' });
    await exported.waitFor();
    await page.context().setOffline(true);
    await exported.click();
    await page
      .getByText('Vous ouvrirez «\u00a0L’export de cet espace\u00a0» quand il sera revenu.')
      .waitFor();
    await page.getByRole('button', { name: 'Copier le contexte' }).click();
    await page.getByText('Le texte à copier n’a pas pu être lu').first().waitFor();
    expect(await page.getByText('Copie refusée par le navigateur').count()).toBe(0);
    // Parts of the page requested while offline may fail after the test, so the page is closed first.
    await page.close();
    browser.forgetErrors();
  });

  it('is downloaded as a file too; a refusal is said on the page, which stays', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Emporté');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    await markDocument(page);
    const press = async () => {
      await page.getByRole('button', { name: 'Actions de l’espace' }).click();
      await page.getByRole('menuitem', { name: 'Exporter en JSON' }).click();
    };
    const refusal = { error: { code: 'forbidden', message: 'Cet espace ne vous est plus ouvert.' } };
    await page.route('**/export?format=json', (route) => route.fulfill({ status: 403, json: refusal }));
    await press();
    await page.getByText('Cet espace ne vous est plus ouvert.').first().waitFor();
    expect(await isFirst(page)).toBe(true);
    await page.unroute('**/export?format=json');
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    expect(file.suggestedFilename()).toMatch(/^Emport.*\.json$/);
    expect(await isFirst(page)).toBe(true);
    browser.forgetErrors();
  });

  it('is not offered where there is nothing to copy: the button says that the Space is empty', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Vide');
    const page = await visit(browser, seat, `/espaces/${spaceId}`);
    const empty = page.getByRole('button', { name: 'Espace vide, rien à copier' });
    await empty.waitFor();
    expect(await empty.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Copier le contexte' }).count()).toBe(0);
    await scenes.memory(seat, spaceId, { title: 'Promesse' });
    await page.reload();
    await page.getByRole('button', { name: 'Copier le contexte' }).waitFor();
    expect(await empty.count()).toBe(0);
  });
});

describe('an address that leads nowhere', () => {
  it('is said inside the cockpit, which one can leave by its menu', async () => {
    const seat = await scenes.seat();
    const page = await visit(browser, seat, '/espaces/spc_0000000000000000000000000a');
    await page.getByText('Cette page n’existe pas, ou n’existe plus').waitFor();
    await page.getByRole('link', { name: 'Journal', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor();
    browser.forgetErrors();
  });

  it('answers 404, and one that moved 307, whatever the page waits for', async () => {
    const seat = await scenes.seat();
    const page = await seated(browser, seat);
    const id = '0'.repeat(26);
    for (const path of [
      `/espaces/spc_${id}`,
      `/journal/gen_${id}`,
      `/portefeuille?membre=mbr_${id}`,
      `/developpeurs/evenements/whk_${id}`,
      '/modeles/inconnu',
      '/produits/proposer?produit=inconnu',
      '/nulle-part',
    ])
      expect([path, (await page.request.get(path)).status()]).toEqual([path, 404]);
    const compared = `gen_${id},gen_${'1'.repeat(26)}`;
    const moved = await page.request.get(`/journal?comparer=${compared}`, { maxRedirects: 0 });
    expect(moved.status()).toBe(307);
    expect(moved.headers().location).toContain(`/journal/comparer?ids=${compared}`);
    // A Memory is shown in its own Space, even if the address names another.
    const [its, another] = [await scenes.space(seat, 'Le sien'), await scenes.space(seat, 'Un autre')];
    const memory = await scenes.memory(seat, its, { title: 'Promesse' });
    await page.goto(`/espaces/${another}?memoire=${memory}&vue=historique`);
    await page.waitForURL(`**/espaces/${its}?memoire=${memory}&vue=historique`);
    await page.getByRole('heading', { level: 1, name: 'Le sien' }).waitFor();
  });

  it('is said of the wallet of a member who is not of the account', async () => {
    const [seat, stranger] = [await scenes.seat(), await scenes.seat()];
    const page = await visit(browser, seat, `/portefeuille?membre=${stranger.ctx.actor.memberId}`);
    await page.getByText('Cette page n’existe pas, ou n’existe plus').waitFor();
    browser.forgetErrors();
  });
});

it('a dialog first opened without network says so, and comes once the network is back', async () => {
  const seat = await scenes.seat();
  const spaceId = await scenes.space(seat, 'Hors ligne');
  const page = await seated(browser, seat);
  await gotoQuiet(page, `/espaces/${spaceId}`);
  await goOffline(page);
  await page.getByRole('button', { name: 'Ajouter une mémoire dans Identité' }).dispatchEvent('click');
  await page.getByText('Ce que vous ouvriez s’affichera dès qu’elle reviendra.').first().waitFor();
  await page.context().setOffline(false);
  await panel(page).getByLabel('Titre', { exact: true }).waitFor();
  browser.forgetErrors();
});

it('a dialog that an address opened is closed without network, and the page stays', async () => {
  const seat = await scenes.seat();
  const page = await seated(browser, seat);
  await gotoQuiet(page, '/espaces?nouveau');
  await panel(page).getByLabel('Nom').waitFor();
  await markDocument(page);
  await page.context().setOffline(true);
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.getByText('Pas de réseau. Cette page reste là').waitFor();
  // Long enough for a reload to happen.
  await page.waitForTimeout(1_000);
  expect(await isFirst(page)).toBe(true);
  // Parts of the page requested while offline may fail after the test, so the page is closed first.
  await page.close();
  browser.forgetErrors();
});
