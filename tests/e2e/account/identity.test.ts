import type { Page } from 'playwright';
import { describe, expect, inject, it } from 'vitest';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { testContext } from '#tests/factories/context.ts';
import { outboxPath } from '../setup/account.ts';
import { panel, visit } from '../setup/brain-page.ts';
import { useBrowser } from '../setup/browser.ts';
import { faults } from '../setup/faults.ts';
import { enterAs, onAppDatabase } from '../setup/scenes/app.ts';
import { openScenes } from '../setup/scenes/brain.ts';
import { isFirst, markDocument } from '../setup/scenes/readings.ts';
import { useAppDatabase } from '../setup/scenes/use-app-database.ts';
import { askCode, mailedCode } from '../setup/sign-in-page.ts';
import { signedIn } from '../setup/signed-in.ts';

const browser = useBrowser();
useAppDatabase();
const FOUNDER = () => browser.app.demo?.memberEmail ?? '';
const MEMBER = () => FOUNDER().replace(/^[^@]+/, 'louis');

async function signIn(page: Page, email: string, path: string): Promise<void> {
  await askCode(page, email, path);
  await page.getByLabel('Code à six chiffres').fill(await mailedCode(page, browser.app, email));
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
}

describe('signing in', () => {
  it('a page asked for while signed out comes back after the mailed code, and the cookie is out of reach of scripts', async () => {
    const page = await browser.newPage();
    await askCode(page, FOUNDER().toUpperCase(), '/audit?action=cles');
    const code = await mailedCode(page, browser.app, FOUNDER());
    await page.reload();
    await page.getByLabel('Code à six chiffres').fill(code === '000000' ? '111111' : '000000');
    await page.getByText('Ce code ne convient pas. Il vous reste 4 essais.').waitFor();
    await page.getByLabel('Code à six chiffres').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.waitForURL(/\/audit\?action=cles$/);
    const cookie = (await page.context().cookies()).find((one) => one.name === 'atelier');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', secure: false, path: '/' });
    expect(await page.evaluate(() => document.cookie)).not.toContain('atelier=');
    await page.goto('/connexion');
    expect(new URL(page.url()).pathname).not.toBe('/connexion');
    browser.forgetErrors();
  });

  it('an address nobody knows gets the same page, and no other site is gone to after signing in', async () => {
    const page = await browser.newPage();
    await askCode(page, 'personne@exemple.test', '/connexion?retour=//evil.example');
    await page.getByText('Si personne@exemple.test a accès à Atelier').waitFor();
    const returns = await page
      .locator('input[name=retour]')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(new Set(returns)).toEqual(new Set(['/espaces']));
  });
});

/** Invites an address as the demonstration's founder, on the page. */
async function invite(email: string): Promise<void> {
  const page = await browser.newPage();
  await signedIn(browser.app, page, FOUNDER(), '/equipe');
  await page.getByRole('button', { name: 'Inviter un membre' }).click();
  const dialog = page.locator('[data-panel]');
  await dialog.getByLabel('Adresse e-mail').fill(email);
  await dialog.getByLabel('Nom').fill('Nour Haddad');
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click();
  await page.getByText(`Invitation envoyée à ${email}`).waitFor();
}

/** Invites an address with the app's verb, which is faster than the page. */
function invitedByVerb(email: string) {
  return onAppDatabase(browser.app, (service) =>
    inviteMember(testContext(service, { type: 'admin' as const }), {
      accountId: browser.app.demo?.accountId ?? '',
      email,
      name: 'Nour Haddad',
      role: 'MEMBER',
      permissions: ['brain.write'],
    }),
  );
}

describe('people and accounts', () => {
  it('an invitation is joined on a page that names account and inviter; then the header goes from one account to the other', async () => {
    // A person who already has an account is invited into another one.
    const scenes = await openScenes(inject('app'));
    const seat = await scenes.seat();
    const { email } = await seat.ctx.db.member.findUniqueOrThrow({ where: { id: seat.ctx.actor.memberId } });
    const { name: home } = await seat.ctx.db.account.findUniqueOrThrow({ where: { id: seat.accountId } });
    await scenes.close();
    await invite(email ?? '');
    const page = await browser.newPage();
    await askCode(page, email ?? '', '/espaces');
    await page.getByLabel('Code à six chiffres').fill(await mailedCode(page, browser.app, email ?? ''));
    await page.waitForURL(/\/espaces$/);
    await page.getByRole('button', { name: 'mon menu' }).click();
    await page.getByRole('menuitem', { name: 'Une invitation vous attend' }).click();
    await page.getByText('Agnès Morvan vous invite comme membre.').waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rejoindre Maison Lumen' }).click();
    await page.waitForURL(/\/espaces$/);
    await page.getByText('Maison Lumen').first().waitFor();
    await page.getByRole('button', { name: 'mon menu' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: `Passer sur ${home}` }).focus();
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    await page.getByRole('button', { name: 'mon menu' }).click();
    await page.getByRole('menuitem', { name: 'Passer sur Maison Lumen' }).waitFor();
  });

  it('a tab of an account that was left in another one says so, does nothing in either and keeps what is typed; it goes on once one is back', async () => {
    const scenes = await openScenes(inject('app'));
    const [home, other] = [
      await scenes.seat({ name: 'Maison Une' }),
      await scenes.seat({ name: 'Maison Deux' }),
    ];
    await scenes.invite(other, home);
    const { db } = scenes.reached;
    const { personId } = await db.member.findUniqueOrThrow({ where: { id: home.ctx.actor.memberId } });
    await db.member.updateMany({
      where: { accountId: other.accountId, status: 'INVITED' },
      data: { status: 'ACTIVE', personId, invitationEndsAt: null },
    });
    const spaces = () =>
      Promise.all([home, other].map(({ accountId }) => db.space.count({ where: { accountId } })));
    const notice = (page: Page) => page.getByText('Vous êtes passé à un autre compte dans un autre onglet');

    const writing = await visit(browser, home, '/espaces');
    await writing.getByRole('button', { name: 'Créer un espace' }).click();
    await panel(writing).getByLabel('Nom').fill('Carnet');
    const idle = await browser.newTab(writing);
    await idle.goto('/espaces');
    const tab = await browser.newTab(writing);
    const goTo = async (name: string) => {
      await tab.goto('/espaces');
      await tab.getByRole('button', { name: 'mon menu' }).focus();
      await tab.keyboard.press('Enter');
      await tab.getByRole('menuitem', { name: `Passer sur ${name}` }).focus();
      await Promise.all([tab.waitForNavigation(), tab.keyboard.press('Enter')]);
    };

    await goTo('Maison Deux');
    await notice(writing).waitFor();
    expect(await notice(tab).count()).toBe(0);
    await panel(writing).getByRole('button', { name: 'Créer l’espace' }).click();
    await panel(writing).getByText('Vous êtes passé au compte «\u00a0Maison Deux\u00a0»').waitFor();
    expect(await panel(writing).getByLabel('Nom').inputValue()).toBe('Carnet');
    expect(await spaces()).toEqual([0, 0]);

    // A link loads a new document, so that the other account's page is not shown in the frame of this one.
    await notice(idle).waitFor();
    expect(await faults(idle)).toEqual([]);
    await markDocument(idle);
    const loaded = idle.waitForEvent('load');
    await idle.getByRole('link', { name: 'Contexte', exact: true }).first().click();
    await loaded;
    expect(new URL(idle.url()).pathname).toBe('/contexte');
    expect(await isFirst(idle)).toBe(false);
    await idle.getByText('Maison Deux').first().waitFor();

    await goTo('Maison Une');
    await notice(writing).waitFor({ state: 'detached' });
    await panel(writing).getByRole('button', { name: 'Créer l’espace' }).click();
    await writing.waitForURL(/\/espaces\/spc_/);
    expect(await spaces()).toEqual([1, 0]);
    await scenes.close();

    await notice(idle).waitFor();
    const again = idle.waitForEvent('load');
    await idle.getByRole('button', { name: 'Recharger' }).click();
    await again;
    await idle.getByText('Maison Une').first().waitFor();
    expect(await notice(idle).count()).toBe(0);
    // After a switch, the page of a Space of the former account leads to the page of all Spaces.
    await goTo('Maison Deux');
    await writing.getByRole('button', { name: 'Recharger' }).click();
    await writing.waitForURL(/\/espaces$/);
    await writing.getByText('Maison Deux').first().waitFor();
  });

  it('who was only invited joins nothing by signing in, and may refuse', async () => {
    const email = `nour-${Date.now()}@exemple.test`;
    await invitedByVerb(email);
    const page = await browser.newPage();
    await signIn(page, email, '/invitations');
    await page.getByRole('heading', { name: 'Votre invitation' }).waitFor();
    await page.goto('/espaces');
    expect(new URL(page.url()).pathname).toBe('/invitations');
    await page.getByRole('button', { name: 'Rejoindre Maison Lumen' }).click();
    await page.waitForURL(/\/espaces$/);
  });

  it('a code that is typed while another one is judged is sent in its turn', async () => {
    const email = `lise-${Date.now()}@exemple.test`;
    await invitedByVerb(email);
    const page = await browser.newPage();
    await askCode(page, email, '/invitations');
    const code = await mailedCode(page, browser.app, email);
    const held = Promise.withResolvers<void>();
    await page.route(
      (url) => url.pathname === '/connexion',
      async (route) => {
        if (route.request().method() === 'POST') await held.promise;
        await route.continue();
      },
    );
    const judged = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByLabel('Code à six chiffres').fill(code === '000000' ? '111111' : '000000');
    await judged;
    await page.getByLabel('Code à six chiffres').fill(code);
    held.resolve();
    await page.getByRole('heading', { name: 'Votre invitation' }).waitFor();
    browser.forgetErrors();
  });

  it('who joined from another browser goes on in the one where they had only signed in', async () => {
    const email = `ines-${Date.now()}@exemple.test`;
    await invitedByVerb(email);
    const page = await browser.newPage();
    await signIn(page, email, '/invitations');
    await page.getByRole('heading', { name: 'Votre invitation' }).waitFor();
    const scenes = await openScenes(inject('app'));
    const { db } = scenes.reached;
    const { id: personId } = await db.person.findUniqueOrThrow({ where: { email } });
    await db.member.updateMany({
      where: { email, status: 'INVITED' },
      data: { status: 'ACTIVE', personId, invitationEndsAt: null },
    });
    await scenes.close();
    await page.goto('/espaces');
    await page.getByRole('heading', { name: 'Votre compte' }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Continuer sur Maison Lumen' }).click();
    await page.waitForURL(/\/espaces$/);
  });
});

describe('the account pages', () => {
  it('a key made on the page opens the API, and is refused once revoked', async () => {
    const page = await browser.newPage();
    await signedIn(browser.app, page, FOUNDER(), '/developpeurs');
    await page.getByRole('button', { name: 'Créer une clé' }).first().click();
    const dialog = page.locator('[data-panel]');
    const ticked = dialog.locator('input[name=scopes]:checked');
    await ticked.first().waitFor({ state: 'attached' });
    const values = await ticked.evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value));
    expect(values).toEqual(['brain:read', 'projects:read']);
    await dialog.getByRole('button', { name: 'Créer la clé' }).click();
    await dialog.getByText('Le nom compte de 1 à 80 caractères.').waitFor();
    await dialog.getByLabel('Nom', { exact: true }).fill('Clé du navigateur');
    await dialog.getByRole('button', { name: 'Créer la clé' }).click();
    const secret =
      (await dialog
        .locator('code', { hasText: /^atl_[0-9a-f]{64}$/ })
        .first()
        .textContent()) ?? '';
    await dialog.getByRole('button', { name: 'J’ai copié la clé' }).click();
    const ask = () =>
      fetch(`${browser.app.baseUrl}/api/v1/quota`, { headers: { Authorization: `Bearer ${secret}` } });
    expect((await ask()).status).toBe(200);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(secret);
    const row = page.getByRole('row', { name: /Clé du navigateur/ });
    await row.getByRole('button', { name: 'Révoquer «\u00a0Clé du navigateur\u00a0»', exact: true }).click();
    await page.locator('[data-panel]').getByRole('button', { name: 'Révoquer la clé' }).click();
    // An open dialog hides the rows from `getByRole`, so the test waits for its end first.
    await page.locator('[data-panel]').waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toMatch(/^(BUTTON|MAIN)$/);
    expect((await ask()).status).toBe(401);
  });

  it('a member without the right sees who can grant it, and nothing else', async () => {
    const page = await browser.newPage();
    await signedIn(browser.app, page, MEMBER(), '/equipe');
    await page.getByRole('heading', { name: 'Vous ne pouvez pas gérer l’équipe' }).waitFor();
    await page.getByText(/Adressez-vous à Agnès Morvan/).waitFor();
    expect(await page.content()).not.toContain(FOUNDER());
    expect((await page.request.get('/audit/export?format=csv')).status()).toBe(403);
  });

  it('signing out everywhere ends the session of another browser', async () => {
    // A member of a new account, because other test files use the demonstration's members.
    const scenes = await openScenes(inject('app'));
    const seat = await scenes.seat();
    const { email } = await seat.ctx.db.member.findUniqueOrThrow({ where: { id: seat.ctx.actor.memberId } });
    await scenes.close();
    const [first, second] = [await browser.newPage(), await browser.newPage()];
    for (const page of [first, second]) await enterAs(page, browser.app, email ?? '', seat.accountId);
    const before = await second.request.get('/compte');
    expect(new URL(before.url()).pathname).toBe('/compte');
    await first.goto('/compte');
    await first.getByRole('button', { name: 'Se déconnecter partout' }).click();
    await first.locator('[data-panel]').getByRole('button', { name: 'Se déconnecter partout' }).click();
    await first.waitForURL(/\/connexion$/);
    await second.goto('/compte');
    expect(new URL(second.url()).pathname).toBe('/connexion');
  });

  it('an action posted from another site changes nothing; from our own, the very same does', async () => {
    const scenes = await openScenes(inject('app'));
    const seat = await scenes.seat();
    const { memberId } = seat.ctx.actor;
    const nameOf = async () =>
      (await scenes.reached.db.member.findUniqueOrThrow({ where: { id: memberId } })).name;
    const page = await visit(browser, seat, '/compte');
    let forged: { headers: Record<string, string>; body: Buffer | null } | undefined;
    await page.route('**/compte', async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.continue();
      forged = { headers: await request.allHeaders(), body: request.postDataBuffer() };
      await route.abort();
    });
    await page.getByLabel('Nom', { exact: true }).fill('Victime');
    await page.getByRole('button', { name: 'Enregistrer' }).click();
    await page.getByText('La connexion a été perdue avant la réponse').waitFor();
    expect(await page.getByLabel('Nom', { exact: true }).inputValue()).toBe('Victime');
    browser.consoleErrors.splice(0);
    expect(forged?.body?.toString()).toContain('Victime');
    const { 'content-length': _, host: __, ...headers } = forged?.headers ?? {};
    const cookie = `${seat.cookie.name}=${seat.cookie.value}`;
    const post = async (origin: string) => {
      const answer = await fetch(`${browser.app.baseUrl}/compte`, {
        method: 'POST',
        headers: Object.fromEntries(
          Object.entries({ ...headers, cookie, origin }).filter(([name]) => !name.startsWith(':')),
        ),
        body: new Uint8Array(forged?.body ?? []),
      });
      await answer.text();
    };
    await post('https://evil.example');
    expect(await nameOf()).toBe('Camille Aubry');
    await post(new URL(browser.app.baseUrl).origin);
    expect(await nameOf()).toBe('Victime');
    await scenes.close();
  });

  it('has no serious accessibility fault, in light or in dark', async () => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    const found: string[] = [];
    const look = async (what: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        found.push(...(await faults(page)).map((fault) => `${what}, ${colorScheme}: ${fault}`));
      }
    };
    const check = async (path: string) => {
      await page.goto(path);
      await look(path);
    };
    await check('/connexion');
    await check(await outboxPath(browser.app));
    await enterAs(page, browser.app, FOUNDER(), browser.app.demo?.accountId);
    for (const path of ['/compte', '/equipe', '/equipe/compte', '/projets', '/audit', '/developpeurs'])
      await check(path);
    await page.getByRole('button', { name: 'Créer une clé' }).first().click();
    await page.locator('[data-panel]').waitFor();
    // What has not come in yet is half transparent.
    await page.waitForFunction(() =>
      document
        .getAnimations()
        .every(
          ({ effect, playState }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
        ),
    );
    await look('a key that is made');
    expect(found).toEqual([]);
  });
});
