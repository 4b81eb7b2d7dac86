import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { enterAs, paidRow } from '../setup/scenes/app.ts';
import { overflow, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, visit, founder } = useStudio();

it('a tenant’s founder has nothing to share out until the operator gives it, asks by one button, and passes it on', async () => {
  const tenant = await scenes().seat({ name: `Maison ${createId('request')}` });
  const { db } = scenes().reached;
  const page = await visit(tenant, '/exploitation');
  await page.getByRole('heading', { name: 'Exploitation' }).waitFor();
  expect(await page.getByRole('button', { name: 'Lancer une relève' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Comptes' }).count()).toBe(0);

  const review = async (amount: string) => {
    await page.goto('/portefeuille/equipe');
    await page.getByRole('button', { name: /Crédit à Camille/ }).click();
    const dialog = page.locator('[data-panel]');
    await dialog.getByLabel('Montant, en $US').fill(amount);
    await dialog.getByRole('button', { name: 'Vérifier' }).click();
    return dialog;
  };
  const tooMuch = await review('1000000');
  await tooMuch.getByText(/Le compte n’a que/).waitFor();
  expect(await tooMuch.getByRole('button', { name: /^Accorder/ }).count()).toBe(0);
  await page.goto('/portefeuille/equipe');
  // If the answer is lost, the page does not claim that the request was sent. One handler for both presses: a request that is asked for as one
  // is taken away may never be answered.
  let isLost = true;
  await page.route('**/portefeuille/equipe', (route) =>
    isLost && route.request().method() === 'POST' ? route.abort() : route.fallback(),
  );
  await page.getByRole('button', { name: 'Demander davantage' }).click();
  await page.getByText('La connexion a été perdue avant la réponse').first().waitFor();
  isLost = false;
  browser.consoleErrors.splice(0);
  await page.getByRole('button', { name: 'Demander davantage' }).click();
  await page.getByText('Demande envoyée').waitFor();
  await page
    .getByRole('button', { name: 'Demander davantage', disabled: true })
    .and(page.locator(':focus'))
    .waitFor();
  expect(await db.wallet.count({ where: { accountId: tenant.accountId, balanceMicros: { gt: 0n } } })).toBe(
    0,
  );

  const mine = await db.account.findUniqueOrThrow({ where: { id: tenant.accountId } });
  const before = await db.account.findFirst({
    where: { createdAt: { lt: mine.createdAt } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  const operator = await browser.newPage();
  await enterAs(operator, browser.app, browser.app.demo?.memberEmail ?? '');
  await operator.goto(`/exploitation?vue=comptes&apres=${before?.id}`);
  // Found by its name, because the account no longer « asks » once it has received credit.
  const row = operator.getByRole('row', { name: mine.name });
  await row.getByText('Demande du crédit').first().waitFor();
  await row.getByRole('button', { name: /^Crédit/ }).click();
  const dialog = operator.locator('[data-panel]');
  await dialog.getByLabel('Montant, en $US').fill('0');
  await dialog.getByRole('button', { name: 'Vérifier' }).click();
  await dialog.getByText('Le crédit doit être supérieur à 0.').waitFor();
  await dialog.getByLabel('Montant, en $US').fill('12');
  await dialog.getByRole('button', { name: 'Vérifier' }).click();
  await dialog.getByRole('button', { name: /^Accorder 12/ }).click();
  await operator.getByText(/12,00.*accordés/).waitFor();
  await row.getByRole('button', { name: /^Limites/ }).click();
  await dialog.getByLabel('Plafond mensuel, en $US').fill('10');
  await dialog.getByRole('button', { name: 'Enregistrer les limites' }).click();
  await operator.getByText('Limites enregistrées').waitFor();

  const enough = await review('5');
  await enough.getByRole('button', { name: /^Accorder 5/ }).click();
  await page.getByText(/5,00.*accordés/).waitFor();
  const budget = await db.budget.findUniqueOrThrow({ where: { accountId: tenant.accountId } });
  expect(budget).toMatchObject({ balanceMicros: 7_000_000n, monthlyCeilingMicros: 10_000_000n });

  // Takes back credit, then closes the account after its name is typed; its founder may still read, export and reopen it.
  const choose = async (name: string) => {
    await row.getByRole('button', { name: /^Autres actions/ }).click();
    await operator.getByRole('menuitem', { name }).click();
  };
  await choose('Reprendre du crédit');
  await dialog.getByLabel('Montant à reprendre, en $US').fill('7,01');
  await dialog.getByRole('button', { name: 'Reprendre' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/n’a que .*7,00.* à répartir/)
    .waitFor();
  await dialog.getByLabel('Montant à reprendre, en $US').fill('7');
  await dialog.getByRole('button', { name: 'Reprendre' }).click();
  await operator.getByText(/7,00.*repris/).waitFor();
  await choose('Fermer le compte');
  await dialog.getByLabel(/^Pour confirmer, tapez/).fill(mine.name);
  await dialog.getByRole('button', { name: 'Fermer le compte' }).click();
  await operator.getByText('Compte fermé').waitFor();
  await row.getByText('Fermé', { exact: true }).waitFor();
  await page.goto('/equipe/compte');
  await page.getByText(/Ce compte est fermé depuis/).waitFor();
  await choose('Rouvrir le compte');
  await dialog.getByRole('button', { name: 'Rouvrir le compte' }).click();
  await operator.getByText('Compte rouvert').waitFor();
  await page.goto('/equipe/compte');
  await page.getByRole('button', { name: 'Fermer le compte' }).waitFor();
  const said = await db.auditEntry.findMany({
    where: { accountId: tenant.accountId, action: { in: ['account.closed', 'account.reopened'] } },
    select: { actor: true },
  });
  const operating = await db.member.findFirstOrThrow({
    where: { email: browser.app.demo?.memberEmail ?? '' },
  });
  expect(said.map(({ actor }) => actor)).toEqual([`member:${operating.id}`, `member:${operating.id}`]);
});

it('a debit that waits fits a phone, however long the name of its member', async () => {
  const seat = await founder();
  const { reached } = scenes();
  const owner = { accountId: seat.accountId, memberId: seat.ctx.actor.memberId };
  const name = 'Anne-Sophie de La Rochefoucauld-Montmorency, direction de la création';
  await reached.db.member.update({ where: { id: owner.memberId }, data: { name } });
  const at = new Date(Date.now() - 40_000);
  await paidRow(reached, owner, { at, heldMicros: 42_000n, chargePending: true, brief: 'Veilleuse' });
  const page = await visit(seat, '/exploitation', { viewport: { width: 390, height: 844 } });
  await page
    .getByRole('row', { name: /Veilleuse/ })
    .getByText('Rochefoucauld')
    .waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});
