import { afterAll, beforeAll, expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { panel, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { openScenes, type Scenes } from '../setup/scenes/brain.ts';

const browser = useBrowser();
let scenes: Scenes;
beforeAll(async () => {
  scenes = await openScenes(browser.app);
});
afterAll(() => scenes.close());

/** Adds an endpoint with four events to this account, and returns its identifier. */
async function subscribed({ ctx }: Awaited<ReturnType<Scenes['seat']>>): Promise<string> {
  const at = new Date();
  const { accountId, memberId } = ctx.actor;
  const { id } = await ctx.db.webhookEndpoint.create({
    data: {
      id: createId('webhookEndpoint', at),
      accountId,
      createdById: memberId,
      url: 'https://boutique.exemple.test/atelier',
      events: ['memory.added', 'memory.changed', 'memory.deleted', 'generation.closed'],
      secret: Buffer.alloc(60, 7),
      createdAt: at,
      updatedAt: at,
    },
  });
  return id;
}

it('an address that is not public is refused in words; one that is there keeps what it is told of, changes its secret with an overlap, and goes', async () => {
  const seat = await scenes.seat();
  const { accountId } = seat.ctx.actor;
  const page = await visit(browser, seat, '/developpeurs/evenements');
  await page.getByText('Vos programmes peuvent être prévenus').waitFor();
  await page.getByRole('button', { name: 'Abonner une adresse' }).first().click();
  await panel(page).getByLabel('Adresse').fill('https://127.0.0.1/atelier');
  await panel(page).getByRole('button', { name: 'Abonner l’adresse' }).click();
  await panel(page).getByText('Cette adresse n’est pas celle d’un site public').first().waitFor();
  expect(await panel(page).getByLabel('Adresse').inputValue()).toBe('https://127.0.0.1/atelier');
  expect(await seat.ctx.db.webhookEndpoint.count({ where: { accountId } })).toBe(0);

  // Added to the database, because the form would resolve its host name, which is not possible here. This account has no events to send.
  await subscribed(seat);
  await page.goto('/developpeurs/evenements');
  await page.getByRole('link', { name: 'boutique.exemple.test' }).click();
  await page.getByRole('button', { name: 'Choisir les événements' }).click();
  await panel(page).getByRole('checkbox', { checked: true }).first().uncheck();
  await panel(page).getByRole('button', { name: 'Enregistrer les événements' }).click();
  await panel(page).waitFor({ state: 'detached' });
  const { events } = await seat.ctx.db.webhookEndpoint.findFirstOrThrow({ where: { accountId } });
  expect(events).toHaveLength(3);

  await page.getByRole('button', { name: 'Remplacer le secret' }).click();
  await panel(page).getByRole('button', { name: 'Remplacer le secret' }).click();
  const secret = await panel(page).locator('code', { hasText: 'whsec_' }).innerText();
  await panel(page).getByText('L’ancien secret signe aussi chaque envoi jusqu’au').waitFor();
  await panel(page).getByRole('button', { name: 'J’ai copié le secret' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Supprimer' }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Supprimer' }).click();
  await panel(page).getByRole('button', { name: 'Supprimer l’adresse' }).click();
  await page.getByText('Vos programmes peuvent être prévenus').waitFor();
  expect(await seat.ctx.db.webhookEndpoint.count({ where: { accountId } })).toBe(0);
});

it('events that another founder has chosen meanwhile stay: boxes that were opened before are refused as they were ticked, and begin with what stands once opened anew', async () => {
  const seat = await scenes.seat();
  const where = { id: await subscribed(seat) };
  const stored = async () => (await seat.ctx.db.webhookEndpoint.findUniqueOrThrow({ where })).events;
  const page = await visit(browser, seat, `/developpeurs/evenements/${where.id}`);
  const open = page.getByRole('button', { name: 'Choisir les événements' });
  const save = panel(page).getByRole('button', { name: 'Enregistrer les événements' });
  const box = (type: string) => panel(page).getByRole('checkbox', { name: new RegExp(type) });
  await open.click();
  await box('memory.changed').uncheck();
  await seat.ctx.db.webhookEndpoint.update({ where, data: { events: ['memory.added'] } });
  await save.click();
  await panel(page).getByText('Ces événements ont été changés entre-temps').first().waitFor();
  expect(await box('memory.changed').isChecked()).toBe(false);
  expect(await box('memory.deleted').isChecked()).toBe(true);
  expect(await stored()).toEqual(['memory.added']);
  await panel(page).getByRole('button', { name: 'Annuler' }).click();
  await panel(page).waitFor({ state: 'detached' });
  await page.getByText('1 événement', { exact: true }).waitFor();
  await open.click();
  expect(await box('memory.added').isChecked()).toBe(true);
  expect(await box('memory.deleted').isChecked()).toBe(false);
  await box('generation.closed').check();
  await save.click();
  await panel(page).waitFor({ state: 'detached' });
  expect((await stored()).sort()).toEqual(['generation.closed', 'memory.added']);
});
