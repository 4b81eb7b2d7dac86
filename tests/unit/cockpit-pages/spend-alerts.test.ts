import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SpendAlerts } from '#app/(cockpit)/portefeuille/alerts.tsx';

test('a spend alert agrees with its amount, however small the threshold is', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const alert = {
    month: '2026-11',
    multiple: 1,
    createdAt: now,
    mailedAt: now,
    thresholdMicros: 1_000_000n,
    spentMicros: 1_500_000n,
  };
  const said = renderToStaticMarkup(createElement(SpendAlerts, { alerts: [alert], now }))
    .replace(/<[^>]*>/g, '')
    .replace(/\u00a0|\u202f|&nbsp;/g, ' ');
  expect(said).toContain('Débits de 1,50 $US en novembre 2026 : seuil de 1,00 $US passé');
});

test('a spend alert names the multiple of the threshold that was passed, not the threshold that was passed before', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const alert = {
    month: '2026-11',
    multiple: 3,
    createdAt: now,
    mailedAt: now,
    thresholdMicros: 10_000_000n,
    spentMicros: 31_000_000n,
  };
  const said = renderToStaticMarkup(createElement(SpendAlerts, { alerts: [alert], now }))
    .replace(/<[^>]*>/g, '')
    .replace(/\u00a0|\u202f|&nbsp;/g, ' ');
  expect(said).toContain('Débits de 31,00 $US en novembre 2026 : seuil de 30,00 $US passé');
});

test('as many alerts as are listed are told as the last ones, for there may have been others', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const said = (alerts: number) =>
    renderToStaticMarkup(
      createElement(SpendAlerts, {
        alerts: Array.from({ length: alerts }, (_, at) => ({
          month: '2026-11',
          multiple: at + 1,
          createdAt: now,
          mailedAt: now,
          thresholdMicros: 1_000_000n,
          spentMicros: 30_000_000n,
        })),
        now,
      }),
    ).replace(/\u00a0|&nbsp;/g, ' ');
  expect(said(24)).toContain('Les 24 dernières ; il peut y en avoir eu avant elles.');
  expect(said(23)).not.toContain('dernières');
});
