import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { memories, panel, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { openScenes, type Scenes, type Seat } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(browser.app);
});
afterAll(() => scenes.close());

const propose = (seat: Seat, spaceId: string, title: string, body: string) =>
  proposeMemory(seat.ctx, {
    place: { spaceId, pillar: 'GUIDELINES' },
    title,
    body,
    note: 'Vu dans la charte',
  });

describe('what an assistant proposes', () => {
  it('is compared, accepted as it is, accepted after a change, or refused; nothing enters before', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Charte');
    const known = await scenes.memory(seat, spaceId, { title: 'Garantie', body: 'Deux ans.' });
    await propose(seat, spaceId, 'Ton', 'Nous vouvoyons.');
    await propose(seat, spaceId, 'Couleur', 'Le bleu\u202e.');
    await propose(seat, spaceId, 'Police', 'Garamond.');
    await proposeMemory(seat.ctx, {
      place: { memoryId: known },
      title: 'Garantie',
      body: 'Cinq ans.',
      note: null,
    });
    const page = await visit(browser, seat, '/propositions');
    await page.getByText(/4\spropositions attendent/).waitFor();
    const one = (title: string) => page.locator('article', { hasText: title });
    // Invisible characters are announced before the text is accepted.
    await one('Couleur').getByText('Il y a ici ce que l’œil ne voit pas').waitFor();
    expect(await page.getByText('Il y a ici ce que l’œil ne voit pas').count()).toBe(1);
    await one('Ton')
      .getByRole('button', { name: /^Accepter/ })
      .click();
    await page.getByText(/3\spropositions attendent/).waitFor();
    // The focused button was removed: the focus moves to a neighbouring proposal.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('article')?.textContent))
      .toMatch(/Couleur|Police|Garantie/);
    await one('Garantie').getByText('Cinq ans.').waitFor();
    await one('Garantie')
      .getByRole('button', { name: /^Accepter/ })
      .click();
    await page.getByText(/2\spropositions attendent/).waitFor();

    await one('Couleur').getByRole('button', { name: 'Modifier avant d’accepter' }).click();
    await panel(page).getByLabel('Texte').fill('Le bleu nuit.');
    // The typed text survives a reload.
    await page.reload();
    await one('Couleur').getByRole('button', { name: 'Modifier avant d’accepter' }).click();
    await panel(page).getByText('Voici ce que vous aviez écrit sans l’accepter.').waitFor();
    expect(await panel(page).getByLabel('Texte').inputValue()).toBe('Le bleu nuit.');
    // Replaced by the proposed text, it can be restored, and the text typed since is then set aside.
    const takeBack = async () => {
      const button = await page.getByRole('button', { name: 'Reprendre mon texte' }).elementHandle();
      await button?.click();
      await button?.waitForElementState('hidden');
    };
    await panel(page).getByRole('button', { name: 'Revenir au texte proposé' }).click();
    expect(await panel(page).getByLabel('Texte').inputValue()).toBe('Le bleu\u202e.');
    await panel(page).getByLabel('Texte').fill('Le bleu ciel.');
    await takeBack();
    expect(await panel(page).getByLabel('Texte').inputValue()).toBe('Le bleu nuit.');
    await takeBack();
    expect(await panel(page).getByLabel('Texte').inputValue()).toBe('Le bleu ciel.');
    await panel(page).getByLabel('Texte').fill('Le bleu nuit.');
    await panel(page).getByRole('button', { name: 'Accepter ce texte' }).click();
    await page.getByText('1 proposition attend').waitFor();

    await one('Police').getByRole('button', { name: 'Refuser' }).click();
    await panel(page)
      .getByLabel(/^Raison/)
      .fill('Nous n’avons pas cette police.');
    await panel(page).getByRole('button', { name: 'Refuser la proposition' }).click();
    await page.getByText('Aucune proposition n’attend').waitFor();
    expect((await memories(spaceId, seat)).map(({ title, body }) => [title, body]).sort()).toEqual([
      ['Couleur', 'Le bleu nuit.'],
      ['Garantie', 'Cinq ans.'],
      ['Ton', 'Nous vouvoyons.'],
    ]);
    const again = await propose(seat, spaceId, 'Police', 'Garamond.');
    expect(again).toMatchObject({ state: 'REFUSED', reason: 'Nous n’avons pas cette police.' });

    // The Memory changes while the member edits the proposal: nothing is written, and the typed text is kept.
    const place = { memoryId: known };
    await proposeMemory(seat.ctx, { place, title: 'Garantie', body: 'Dix ans.', note: null });
    await page.reload();
    const rewrite = one('Garantie').getByRole('button', { name: 'Modifier avant d’accepter' });
    await rewrite.click();
    await panel(page).getByLabel('Texte').fill('Dix ans, pièces comprises.');
    await updateMemory(seat.ctx, { ...place, expectedVersion: null, title: 'Garantie', body: 'Six ans.' });
    await panel(page).getByRole('button', { name: 'Accepter ce texte' }).click();
    await panel(page).getByText('relisez la différence').waitFor();
    await one('Garantie').getByText('La mémoire a changé depuis cette proposition').waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await rewrite.click();
    expect(await panel(page).getByLabel('Texte').inputValue()).toBe('Dix ans, pièces comprises.');
    await panel(page).getByRole('button', { name: 'Accepter ce texte' }).click();
    await page.getByText('Aucune proposition n’attend').waitFor();
    const written = (await memories(spaceId, seat)).find((memory) => memory.id === known);
    expect(written?.body).toBe('Dix ans, pièces comprises.');
  });

  it('is read by a member who may not write, with nothing to press', async () => {
    const seat = await scenes.seat();
    const spaceId = await scenes.space(seat, 'Lecture');
    await propose(seat, spaceId, 'Ton', 'Nous vouvoyons.');
    for (const title of ['Récit', 'Suite'])
      await propose(seat, spaceId, title, `${'Une phrase. '.repeat(5_500)}Fin de ${title}.`);
    const reader = await scenes.colleague(seat, []);
    const page = await visit(browser, reader, '/propositions');
    await page.getByText('Pour en décider, il faut le droit d’écrire dans le Brain').waitFor();
    expect(await page.getByRole('button', { name: /Accepter|Refuser/ }).count()).toBe(0);
    // Long texts are not all shown at once: a link shows the next one.
    await page.getByText('Fin de Récit.').waitFor();
    expect(await page.getByText('Fin de Suite.').count()).toBe(0);
    await page.getByRole('link', { name: 'Voir le texte' }).click();
    await page.getByText('Fin de Suite.').waitFor();
  });

  it('is decided in the Spaces that one may write in, and only read in the others', async () => {
    const seat = await scenes.seat();
    const written = await scenes.space(seat, 'Ouvert en écriture');
    const read = await scenes.space(seat, 'Ouvert en lecture');
    await propose(seat, written, 'Ton', 'Nous vouvoyons.');
    await propose(seat, read, 'Garantie', 'Cinq ans.');
    const member = await scenes.colleague(seat, ['brain.write']);
    await scenes.reached.db.member.update({
      where: { id: member.ctx.actor.memberId },
      data: { spaceRights: { [written]: 'write', [read]: 'read' } },
    });
    const page = await visit(browser, member, '/propositions');
    await page.getByText('Dans un espace qui vous est ouvert en lecture').waitFor();
    await page.getByRole('heading', { name: 'Garantie' }).waitFor();
    const accept = page.getByRole('button', { name: /^Accepter/ });
    expect(await accept.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
      'Accepter «\u00a0Ton\u00a0»',
    ]);
    expect(await page.getByRole('button', { name: 'Refuser' }).count()).toBe(1);
    // The accessible name of each button contains the title of its proposal.
    for (const verb of ['Refuser', 'Modifier avant d’accepter'])
      await page.getByRole('button', { name: `${verb} «\u00a0Ton\u00a0»`, exact: true }).waitFor();
  });
});
