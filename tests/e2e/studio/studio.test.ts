import { describe, expect, it } from 'vitest';
import { reseat, seated } from '../setup/brain-page.ts';
import { finishNow, readableIn } from '../setup/caller.ts';
import { faults } from '../setup/faults.ts';
import { focused, holdReadings } from '../setup/scenes/readings.ts';
import { fund, generate, IMAGE, startedAgo } from '../setup/scenes/studio.ts';
import { composed, tile, useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, visit, founder } = useStudio();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe('the composer', () => {
  it('says the exact prompt and the amount before it sends, and by the keyboard brings the file and its debit', async () => {
    const seat = await founder();
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Une bougie sur une table');
    await page.getByText('Fond uni').click();
    const preview = page.getByLabel('Aperçu');
    await preview.getByText('Fond uni sans décor', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Générer · retient 0,03' }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByLabel('Demande', { exact: true }).press('Control+Enter');
    const sent = page.locator('[data-sent="done"]');
    await sent.waitFor();
    await sent.getByText('0,03 $US').waitFor();
    const row = await seat.ctx.db.generation.findFirstOrThrow({ where: { accountId: seat.accountId } });
    expect(row.state).toBe('COMPLETED');
    expect((row.params as { prompt: string }).prompt).toContain('Fond uni sans décor');
  });

  it('keeps everything through a refusal of the balance, whose row is in the journal, undebited', async () => {
    const seat = await founder(40_000n);
    const page = await visit(seat, '/creer');
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Une demande trop chère');
    await page.getByRole('button', { name: 'Générer · retient 0,03' }).waitFor();
    browser.consoleErrors.length = 0;
    // The balance that the page shows is spent elsewhere meanwhile.
    await generate(browser.app, seat, IMAGE);
    await page.getByRole('button', { name: 'Générer' }).click();
    await page.locator('[data-sent="cancelled"]').waitFor();
    await page.getByLabel('Aperçu').getByText('Le solde disponible', { exact: false }).waitFor();
    expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe('Une demande trop chère');
    // The browser reports the 402, which this test expects.
    browser.consoleErrors.splice(0);
    // Reloaded right after the last letter: the draft is stored without delay.
    await page.getByLabel('Demande', { exact: true }).fill('Une demande trop chère, vraiment');
    await page.reload();
    await composed(page).waitFor();
    expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe(
      'Une demande trop chère, vraiment',
    );
    await page.goto('/journal?status=cancelled');
    await page.getByText('non débité').first().waitFor();
  });

  it('takes an image dropped into the strip, and says in place why an address is refused', async () => {
    const seat = await founder();
    // Pages and routes are two bundles that share the ports of the process. Here a page uses them before any route does.
    const page = await visit(seat, '/journal');
    await page.goto('/creer');
    await composed(page).waitFor();
    await page.getByLabel('Demande', { exact: true }).fill('Avec une référence');
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 240 } });
    await page.locator('form[data-composer] input[type=file]').setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: picture,
    });
    await page.locator('[data-reference^="upl_"]').waitFor();
    await page.getByRole('button', { name: 'Générer · retient 0,045' }).waitFor();
    await page.getByLabel('Adresse d’une référence').fill('https://ailleurs.exemple.test/a.png');
    await page.getByLabel('Adresse d’une référence').press('Enter');
    await page.locator('[data-reference^="https"]').getByRole('alert').waitFor();
    browser.forgetErrors();
  });

  it('is refused to a member without the right, who is told who grants it', async () => {
    const seat = await founder();
    const member = await scenes().colleague(seat, []);
    const page = await visit(member, '/creer');
    await page.getByText('Camille Aubry', { exact: false }).waitFor();
    expect(await page.locator('form[data-composer]').count()).toBe(0);
    await page.goto('/journal');
    expect(
      await page.getByRole('link', { name: 'Créer', exact: true }).and(page.locator('main a')).count(),
    ).toBe(0);
  });
});

describe('the journal', () => {
  it('tells success, failure, a debit that waits, a video that ends by itself, and what nobody answered', async () => {
    const seat = await founder();
    const done = await generate(browser.app, seat, IMAGE);
    const failed = await generate(browser.app, seat, { ...IMAGE, brief: 'Ce qui échoue' }, 'provider-error');
    const waits = await generate(
      browser.app,
      seat,
      { ...IMAGE, brief: 'Ce qui attend' },
      'settlement-failure',
    );
    const video = await generate(browser.app, seat, {
      kind: 'video',
      case: 'veo',
      brief: 'La flamme vacille',
    });
    // However long the machine takes, nobody reads it before it was seen to run.
    await readableIn(seat, video, 3_600_000);
    const late = await startedAgo(seat, { kind: 'video', case: 'veo', brief: 'Jamais finie' }, 130);
    const silent = await startedAgo(
      seat,
      {
        kind: 'render',
        template: 'quote-card',
        size: '1080x1080',
        fields: { quote: 'La lumière se fabrique lentement.', author: 'Agnès' },
      },
      110,
    );
    const page = await visit(seat, '/journal');
    await tile(page, done).getByText('expire dans').waitFor({ state: 'attached' });
    expect(await tile(page, failed).textContent()).toContain('non débité');
    expect(await tile(page, failed).getAttribute('data-status')).toBe('failed');
    expect(await tile(page, waits).textContent()).toContain('débit en attente');
    expect(await tile(page, late).getAttribute('data-status')).toBe('failed');
    expect(await tile(page, silent).getAttribute('data-status')).toBe('no-callback');
    expect(await tile(page, video).getAttribute('data-status')).toBe('running');
    await tile(page, video)
      .getByText(/vérification dans|relève automatique/)
      .waitFor();
    expect(await faults(page)).toEqual([]);
    // No reload: the page reads the row, and the read closes it.
    await finishNow(seat, video);
    await readableIn(seat, video, -1_000);
    await page.locator(`[data-generation="${video}"][data-status="done"]`).waitFor();
    await page.getByRole('link', { name: 'Tableau' }).click();
    await page.waitForURL(/vue=table/);
    await page.locator(`tr[data-generation="${done}"]`).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('link', { name: 'Échec', exact: true }).click();
    await page.waitForURL(/status=failed/);
    await page.locator(`tr[data-generation="${done}"]`).waitFor({ state: 'detached' });
  });

  it('compares two rows from its address, marks what differs, and shows one member’s rows to the other', async () => {
    const seat = await founder();
    const other = await scenes().colleague(seat, ['generate']);
    await fund(other, 5_000_000n);
    const [mine, theirs] = await Promise.all([
      generate(browser.app, seat, IMAGE),
      generate(browser.app, other, { ...IMAGE, case: 'image-best' }),
    ]);
    const page = await visit(seat, '/journal');
    await tile(page, theirs).getByText('Inès Roy', { exact: false }).waitFor();
    for (const id of [mine, theirs]) await tile(page, id).getByRole('checkbox').check();
    await page.getByRole('link', { name: 'Comparer' }).click();
    const both = page.getByRole('region', { name: 'Comparaison' });
    await both.getByText('Image soignée').waitFor();
    expect(new URL(page.url()).searchParams.get('ids')).toBe(`${mine},${theirs}`);
    await reseat(browser, page, other);
    await page.goto(`/journal/${mine}`);
    await page.getByText('ne se montrent qu’à leur membre').waitFor();
    expect(await page.getByRole('heading', { name: 'Audit' }).count()).toBe(0);
  });

  it('holds ten thousand rows: the count is said, the rest comes as one scrolls, and few rows exist at a time', async () => {
    const seat = await founder();
    await scenes().journal(seat, 10_000);
    const page = await seated(browser, seat);
    const asked: URL[] = [];
    page.on('request', (request) => {
      const address = new URL(request.url());
      if (address.pathname === '/api/generations') asked.push(address);
    });
    const answer = await page.goto('/journal');
    await page.getByText(/24\ssur\s10\s000\sgénérations/).waitFor();
    // The first page is in the document; each further page is one request, from the cursor of the last one.
    const html = await answer?.text();
    expect(html?.match(/<article data-generation=/g)).toHaveLength(24);
    const cursors = () => asked.flatMap((address) => address.searchParams.get('cursor') ?? []);
    expect(cursors()).toEqual([]);
    for (let turn = 1; turn <= 5; turn++) {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await page.getByText(new RegExp(`${24 + 96 * turn}\\ssur\\s10\\s000\\sgénérations`)).waitFor();
    }
    // Without a cursor the head of the list is asked for, every ten seconds, for what others have made.
    expect(cursors().length).toBeGreaterThanOrEqual(5);
    expect(new Set(cursors()).size).toBe(cursors().length);
    expect(await page.locator('[data-generation]').count()).toBeLessThan(300);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByText('Une bougie, essai 1', { exact: true }).waitFor();
  });

  it('is empty with one sentence and a first action, and fits a phone', async () => {
    const seat = await founder();
    const page = await visit(seat, '/journal', PHONE);
    await page.getByText('Le journal raconte tout ce que le Studio fabrique').waitFor();
    await generate(browser.app, seat, IMAGE);
    await page.reload();
    await page.locator('[data-generation]').waitFor();
    for (const path of [null, '/journal?vue=table', '/creer']) {
      if (path) await page.goto(path);
      await page.locator('h1').waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wide, page.url()).toBeLessThanOrEqual(0);
    }
    await composed(page).waitFor();
    expect(await faults(page)).toEqual([]);
  });
});

describe('one generation', () => {
  it('is approved and kept, becomes an avatar, is taken up again, and cannot be deleted while it is kept', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/journal/${id}`);
    await page.getByText('clos par la demande elle-même').waitFor();
    await page.getByText('facture de la passerelle', { exact: false }).waitFor();
    await page.getByText('a terminé une génération', { exact: false }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approuver et garder' }).click();
    await page.getByText('approuvé ou livré').waitFor();
    // The pressed button was removed: the focus moves to a button beside it.
    await expect.poll(() => focused(page)).toBe('BUTTON');
    await page.getByRole('button', { name: 'Garder autrement' }).click();
    await page.getByRole('menuitem', { name: 'Garder comme avatar' }).click();
    await page.getByLabel('Nom de ce visage').fill('La bougie');
    await page.getByRole('button', { name: 'Garder ce visage' }).click();
    await expect.poll(() => seat.ctx.db.avatar.count({ where: { accountId: seat.accountId } })).toBe(1);
    await page.getByRole('button', { name: 'Supprimer le fichier' }).click();
    await page.locator('[data-panel]').getByRole('button', { name: 'Supprimer le fichier' }).click();
    await page.getByText('rien n’a été supprimé', { exact: false }).first().waitFor();
    await page.goto(`/creer?reprendre=${id}`);
    await composed(page).waitFor();
    expect(await page.getByLabel('Demande', { exact: true }).inputValue()).toBe(IMAGE.brief);
  });

  it('loses its file when asked to, and keeps its row, its cost and its ledger lines', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, IMAGE);
    const page = await visit(seat, `/journal/${id}`);
    await page.getByRole('button', { name: 'Supprimer le fichier' }).click();
    await page.locator('[data-panel]').getByRole('button', { name: 'Supprimer le fichier' }).click();
    await page.getByText('Le fichier a été supprimé. La ligne', { exact: false }).waitFor();
    await page.getByText('Le fichier attend dans la').waitFor();
    await expect.poll(() => focused(page)).toMatch(/^(BUTTON|MAIN)$/);
    await page.getByText('exactement le montant retenu').waitFor();
    expect(await seat.ctx.db.ledgerLine.count({ where: { generationId: id } })).toBe(2);
  });

  it('is kept from where its file says that it expires, and from its tile, which says when the network is lost', async () => {
    const seat = await founder();
    const [one, other] = [await generate(browser.app, seat, IMAGE), await generate(browser.app, seat, IMAGE)];
    const page = await visit(seat, `/journal/${one}`);
    await page.getByText('Marqué comme issu d’une IA (métadonnée IPTC).').waitFor();
    await page.getByRole('button', { name: 'Garder ce fichier' }).click();
    await page.getByText('approuvé ou livré').waitFor();
    await page.goto('/journal');
    // The page has read what its files allow: that reading is a POST too, and without it nothing could be approved.
    await tile(page, other).getByText('À vérifier').waitFor();
    await page.route(
      ({ pathname }) => pathname === '/journal',
      (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()),
    );
    const choose = async (label: string) => {
      await tile(page, other)
        .getByRole('button', { name: /^Actions/ })
        .click();
      await page.getByRole('menuitem', { name: label }).click();
    };
    await choose('Approuver et garder');
    await page.getByText('La connexion a été perdue avant la réponse').first().waitFor();
    await page.unrouteAll();
    await choose('Approuver et garder');
    await page.getByText('Fichier approuvé').first().waitFor();
    browser.forgetErrors();
  });

  it('says why a failure cost nothing, and hides a stranger’s row as one that does not exist', async () => {
    const seat = await founder();
    const id = await generate(browser.app, seat, { ...IMAGE, brief: 'Refusée' }, 'content-refused');
    const page = await visit(seat, `/journal/${id}`);
    await page.getByText('Remboursé', { exact: false }).first().waitFor();
    await page.getByText('Non débité.', { exact: true }).waitFor();
    await reseat(browser, page, await founder());
    await page.goto(`/journal/${id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('Refusée').count()).toBe(0);
    browser.forgetErrors();
  });
});

it('on a phone, the sheet gives way at once to the page that is chosen in it', async () => {
  const page = await visit(await founder(), '/journal', PHONE);
  const readings = await holdReadings(page, /\/modeles\b/);
  await page.getByRole('button', { name: 'Plus', exact: true }).click();
  const sheet = page.locator('[data-panel]');
  await sheet.getByRole('link', { name: 'Gabarits' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.locator('[data-page-skeleton]').waitFor();
  readings.letGo();
  await page.getByRole('heading', { level: 1, name: 'Gabarits' }).waitFor();
});
