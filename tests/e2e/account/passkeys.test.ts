import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { onAppDatabase } from '../setup/scenes/app.ts';
import { openScenes } from '../setup/scenes/brain.ts';
import { useAppDatabase } from '../setup/scenes/use-app-database.ts';
import { mailedCode } from '../setup/sign-in-page.ts';

const browser = useBrowser();
useAppDatabase();
/** The app's origin with a host name, because browsers allow no passkeys on an IP address. */
const site = () => browser.app.baseUrl.replace('127.0.0.1', 'localhost');

/** A page with its own authenticator, signed in as the founder of a new account. */
async function newcomer({ autofill = false }: { autofill?: boolean } = {}) {
  const scenes = await openScenes(browser.app);
  const { ctx } = await scenes.seat();
  const { sessionId, memberId } = ctx.actor;
  const { email } = await ctx.db.member.findUniqueOrThrow({ where: { id: memberId } });
  await scenes.close();
  const page = await browser.newPage({ baseURL: site() });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (!autofill)
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(browser.app.dataDir);
  const value = await signSessionCookie(sessionId, secret);
  await page.context().addCookies([{ name: sessionCookieName(false), value, url: site() }]);
  return { page, memberId, email: email ?? '' };
}

/** Moves the last verification of a member's sessions an hour into the past, so that it must be repeated. */
async function anHourLater(memberId: string): Promise<void> {
  const verifiedAt = new Date(Date.now() - 3_600_000);
  await onAppDatabase(browser.app, (service) =>
    service.db.session.updateMany({ where: { memberId }, data: { verifiedAt } }),
  );
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto('/compte');
  await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
  const dialog = page.locator('[data-panel]');
  await dialog.getByLabel('Nom').fill(name);
  await dialog.getByRole('button', { name: 'Continuer' }).click();
  await page.getByRole('listitem').filter({ hasText: name }).getByText('jamais utilisée').waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'mon menu' }).click();
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
  await page.waitForURL(/\/connexion/);
}

async function makeKey(page: Page): Promise<void> {
  await page.goto('/developpeurs');
  await page.getByRole('button', { name: 'Créer une clé' }).first().click();
  const dialog = page.locator('[data-panel]');
  await dialog.getByLabel('Nom', { exact: true }).fill('Clé du navigateur');
  await dialog.getByRole('button', { name: 'Créer la clé' }).click();
}
const secretOf = (page: Page) =>
  page
    .locator('[data-panel] code', { hasText: /^atl_[0-9a-f]{64}$/ })
    .first()
    .textContent();

describe('a passkey in Chromium', () => {
  it('is added, signs in by the button, proves who is there before a key is made, and is removed', async () => {
    const { page, memberId } = await newcomer();
    await addPasskey(page, 'Mon ordinateur');
    expect(await faults(page)).toEqual([]);
    await signOut(page);
    await page.goto('/connexion?retour=/developpeurs');
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
    // The path only: the query of the sign-in page contains it too.
    await page.waitForURL((url) => url.pathname === '/developpeurs');

    await anHourLater(memberId);
    await makeKey(page);
    const proof = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' });
    await proof.waitFor();
    expect(await faults(page)).toEqual([]);
    await proof.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
    expect(await secretOf(page)).toMatch(/^atl_/);
    const keys = await onAppDatabase(browser.app, (service) =>
      service.db.developerKey.count({ where: { memberId } }),
    );
    expect(keys).toBe(1);

    await page.goto('/compte');
    const row = page.getByRole('listitem').filter({ hasText: 'Mon ordinateur' });
    await row.getByText('utilisée', { exact: false }).waitFor();
    await row.getByRole('button', { name: 'Retirer' }).click();
    await page.locator('[data-panel]').getByRole('button', { name: 'Retirer la clé d’accès' }).click();
    await page.getByText('Aucune clé d’accès.').waitFor();
  });

  it('is offered by the address field, without a button', async () => {
    const { page } = await newcomer({ autofill: true });
    await addPasskey(page, 'Mon téléphone');
    await page.getByRole('button', { name: 'mon menu' }).click();
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
    // The test's authenticator accepts the suggestion of the field without a gesture.
    await page.waitForURL(/\/espaces$/);
  });
});

it('a name that is refused is said beside its field before the device makes anything; Enter then goes on', async () => {
  const { page } = await newcomer();
  await page.addInitScript(() => {
    const create = navigator.credentials.create.bind(navigator.credentials);
    navigator.credentials.create = (options) => {
      Reflect.set(window, 'isAsked', true);
      return create(options);
    };
  });
  await page.goto('/compte');
  await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click();
  const name = page.locator('[data-panel]').getByLabel('Nom');
  await name.fill(' ');
  await page.locator('[data-panel]').getByRole('button', { name: 'Continuer' }).click();
  await page.getByText('Le nom compte de 1 à 120 caractères.').waitFor();
  await name.and(page.locator(':focus')).waitFor();
  expect(await page.evaluate(() => Reflect.get(window, 'isAsked'))).toBeUndefined();
  await name.fill('Ma clé');
  await name.press('Enter');
  await page.getByRole('listitem').filter({ hasText: 'Ma clé' }).getByText('jamais utilisée').waitFor();
});

it('a passkey that was lost is removed in a closed account too, by who proves that it is them', async () => {
  const { page, memberId } = await newcomer();
  await addPasskey(page, 'Téléphone perdu');
  await onAppDatabase(browser.app, async ({ db }) => {
    const { accountId } = await db.member.findUniqueOrThrow({ where: { id: memberId } });
    await db.account.update({ where: { id: accountId }, data: { closedAt: new Date() } });
  });
  await anHourLater(memberId);
  await page.goto('/compte');
  const row = page.getByRole('listitem').filter({ hasText: 'Téléphone perdu' });
  await row.getByRole('button', { name: 'Retirer' }).click();
  await page.locator('[data-panel]').getByRole('button', { name: 'Retirer la clé d’accès' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' });
  await proof.getByRole('button', { name: 'Utiliser une clé d’accès' }).click();
  await page.getByText('Aucune clé d’accès.').waitFor();
});

describe('a proof of the last ten minutes', () => {
  it('is asked for in a dialog, by mail where there is no passkey, and the action then goes on by itself', async () => {
    const { page, memberId, email } = await newcomer();
    await anHourLater(memberId);
    await makeKey(page);
    const proof = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' });
    await proof.getByRole('button', { name: 'Recevoir un code par e-mail' }).click();
    const field = proof.getByLabel('Code à six chiffres');
    await field.waitFor();
    const code = await mailedCode(page, browser.app, email);
    await field.fill(code === '000000' ? '111111' : '000000');
    await proof.getByRole('alert').getByText('Ce code ne convient pas. Il vous reste 4 essais.').waitFor();
    await field.fill(code);
    expect(await secretOf(page)).toMatch(/^atl_/);
  });

  it('that is not given leaves what was typed, and does nothing', async () => {
    const { page, memberId } = await newcomer();
    await anHourLater(memberId);
    await makeKey(page);
    await page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Cette action demande une preuve récente').waitFor();
    expect(await page.locator('[data-panel]').getByLabel('Nom', { exact: true }).inputValue()).toBe(
      'Clé du navigateur',
    );
    const keys = await onAppDatabase(browser.app, (service) =>
      service.db.developerKey.count({ where: { memberId } }),
    );
    expect(keys).toBe(0);
  });
});
