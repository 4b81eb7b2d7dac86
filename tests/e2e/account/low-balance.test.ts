import { expect, it } from 'vitest';
import { reseat, seated } from '../setup/brain-page.ts';
import { fund } from '../setup/scenes/studio.ts';
import { useStudio } from '../setup/scenes/use-studio.ts';

const { browser, scenes, founder } = useStudio();
const DAY_MS = 86_400_000;

it('a balance that lasts two days is amber in the header of every page; the wallet says how long and who can help, and founders whose it is', async () => {
  const seat = await founder();
  const member = await scenes().colleague(seat, ['generate']);
  await fund(member, 1_000_000n);
  const now = new Date();
  const month = now.toISOString().slice(0, 7);
  const passed = Math.max(3, (now.getTime() - Date.parse(`${month}-01T00:00:00Z`)) / DAY_MS);
  await seat.ctx.db.wallet.update({
    where: { memberId: member.ctx.actor.memberId },
    data: { month, monthSpentMicros: BigInt(Math.round((1_000_000 * passed) / 2.5)) },
  });
  const page = await seated(browser, member);
  for (const path of ['/journal', '/creer', '/portefeuille']) {
    await page.goto(path);
    await page
      .getByRole('link', { name: /^Disponible/ })
      .locator('.text-warn')
      .first()
      .waitFor();
  }
  await page.getByText(/il suffit pour 2\sjours environ\. Demandez un crédit à Camille Aubry\./).waitFor();
  await reseat(browser, page, seat);
  await page.goto('/portefeuille/equipe');
  await page
    .getByRole('row', { name: /Inès Roy/ })
    .getByText('Solde faible')
    .waitFor();
  const own = page.getByRole('row', { name: /Camille Aubry/ });
  await own.first().waitFor();
  expect(await own.getByText('Solde faible').count()).toBe(0);
});
