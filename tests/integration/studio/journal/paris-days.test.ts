import { expect, it } from 'vitest';
import { apiQuery } from '#app/_studio/journal/filters/query.ts';
import { readAddress } from '#app/_studio/journal/filters/read-address.ts';
import { auditFilters } from '#app/(cockpit)/audit/filters.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { manualClock } from '#lib/core/clock.ts';
import { parisDay } from '#lib/core/text/paris-day.ts';
import { readAudit } from '#lib/identity/audit/read-audit.ts';
import { exportJournal } from '#lib/studio/journal/export-journal.ts';
import { countGenerations, journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { readDivergences } from '#lib/studio/operations/read-divergences.ts';
import { fillJournal } from '#tests/e2e/setup/scenes/fill-journal.ts';
import { testContext } from '#tests/factories/context.ts';
import { studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** Instants on both sides of midnights in Paris: of winter, of summer, and of the days that have 23 and 25 hours. */
const INSTANTS = [
  '2026-11-20T22:59:59Z',
  '2026-11-20T23:00:00Z',
  '2026-11-20T23:30:00Z',
  '2026-11-21T22:59:59Z',
  '2026-11-21T23:30:00Z',
  '2026-07-13T21:59:59Z',
  '2026-07-13T22:30:00Z',
  '2026-07-13T23:30:00Z',
  '2026-07-14T21:59:59Z',
  '2026-07-14T22:30:00Z',
  '2026-03-28T22:59:59Z',
  '2026-03-28T23:00:00Z',
  '2026-03-29T21:59:59Z',
  '2026-03-29T22:00:00Z',
  '2026-10-24T21:59:59Z',
  '2026-10-24T22:00:00Z',
  '2026-10-25T22:59:59Z',
  '2026-10-25T23:00:00Z',
].map((text) => new Date(text));
const DAYS = ['2026-11-21', '2026-07-14', '2026-03-29', '2026-10-25'];
const ofDay = (day: string) => INSTANTS.filter((at) => parisDay(at) === day).map((at) => at.toISOString());

async function filled() {
  const scene = await studioScene(service);
  for (const at of INSTANTS) await fillJournal({ ...scene.ctx, clock: manualClock(at) }, 1);
  return scene;
}

it('a day of the journal’s address holds the rows that Paris tells of it, in both seasons and where clocks change; the API’s is of UTC', async () => {
  const { ctx } = await filled();
  const found = async (filters: object) => {
    const { generations } = await listGenerations(ctx, journalQuery.parse({ ...filters, limit: 100 }));
    return generations.map(({ createdAt }) => createdAt).sort();
  };
  for (const day of DAYS) {
    const address = readAddress({ from: day, to: day });
    expect(address).toMatchObject({ asked: { from: day, to: day }, ignored: [] });
    expect(await found(address.filters)).toEqual(ofDay(day).sort());
    expect(await countGenerations(ctx, address.filters)).toBe(ofDay(day).length);
    // What the list asks for as it goes on, of the API.
    const asked = Object.fromEntries(new URLSearchParams(apiQuery(address.filters)));
    expect(await found(asked)).toEqual(ofDay(day).sort());
  }
  expect(await found({ from: '2026-11-21', to: '2026-11-21' })).toEqual([
    '2026-11-21T22:59:59.000Z',
    '2026-11-21T23:30:00.000Z',
  ]);
});

it('the journal as a CSV tells the times of its rows as Paris does: those of the day that was asked for', async () => {
  const { ctx } = await filled();
  for (const day of DAYS) {
    const { filters } = readAddress({ from: day, to: day });
    let text = '';
    for await (const piece of await exportJournal(ctx, { filters })) text += piece;
    const lines = text.trimEnd().split('\r\n').slice(1);
    expect(lines).toHaveLength(ofDay(day).length);
    expect(new Set(lines.map((line) => line.slice(0, 10)))).toEqual(new Set([day]));
  }
  let text = '';
  const { filters } = readAddress({ from: '2026-07-14', to: '2026-07-14' });
  for await (const piece of await exportJournal(ctx, { filters })) text += piece;
  expect(text).toContain('\r\n2026-07-14 00:30:00;');
  expect(text).toContain(';2026-07-14 01:30:00;');
});

it('costs that were far off count on the day of Paris, where the audit finds them, though the last month has a day of 25 hours', async () => {
  const { ctx: scene } = await studioScene(service);
  const { accountId } = scene.actor;
  const diverged = (at: string) =>
    recordAudits(service.kysely, testContext(service, scene.actor, { clock: manualClock(at) }), [
      {
        action: 'generation.cost_divergence',
        accountId,
        subject: { type: 'generation', id: 'gen_x' },
        data: { gatewayCostUsd: 0.2, formulaCostUsd: 0.1, gatewayGenerationId: null },
      },
    ]);
  const at = ['2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z', '2026-11-20T23:30:00Z'];
  for (const one of at) await diverged(one);
  // Half past midnight, on the 22nd in Paris.
  const clock = manualClock('2026-11-21T23:30:00Z');
  const { days, total } = await readDivergences({ ...scene, clock });
  expect(total).toBe(3);
  expect(days).toHaveLength(30);
  expect(new Set(days.map(({ day }) => day)).size).toBe(30);
  expect([days[0]?.day, days.at(-1)?.day]).toEqual(['2026-10-24', '2026-11-22']);
  const counted = days.filter(({ count }) => count > 0);
  expect(counted).toEqual([
    { day: '2026-10-25', count: 2 },
    { day: '2026-11-21', count: 1 },
  ]);
  for (const { day, count } of counted) {
    const { entries } = await readAudit(scene, { ...auditFilters({ du: day, au: day }), limit: 50 });
    const found = entries.filter(({ action }) => action === 'generation.cost_divergence');
    expect(found).toHaveLength(count);
  }
});
