import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { BarChart } from '#app/_ui/data/bar-chart.tsx';

const drawn = (...values: number[]) =>
  renderToStaticMarkup(
    createElement(BarChart, {
      title: 'Par jour',
      data: values.map((value, day) => ({ label: `${day + 1} novembre`, value })),
      format: (value) => `${value} CU`,
    }),
  ).replace(/\u00a0|&nbsp;|&#160;/g, ' ');

it('a chart says its scale on its frame, never beside its title, and none where there is nothing to measure', () => {
  const html = drawn(320, 40);
  const [, title, frame = ''] = /<figcaption[^>]*>(.*?)<\/figcaption>(.*)/s.exec(html) ?? [];
  expect(title).toBe('Par jour');
  // The first element in the frame of the bars is the value of its top.
  expect(frame).toMatch(/^<div[^>]*><span[^>]*>Échelle : 500 CU en haut<\/span><ol/);
  expect(drawn(0, 0)).not.toContain('Échelle');
});

it('a day is two elements that say it in full, to a pointer too; what is drawn of it beside is a bar, where there is something to draw', () => {
  const days = drawn(320, 0).match(/<li.*?<\/li>/gs) ?? [];
  expect(days.map((day) => day.replace(/<[^>]+>/g, ''))).toEqual([
    '1 novembre : 320 CU',
    '2 novembre : 0 CU',
  ]);
  expect(days.map((day) => /data-tip="([^"]*)"/.exec(day)?.[1])).toEqual([
    '1 novembre : 320 CU',
    '2 novembre : 0 CU',
  ]);
  expect(days.map((day) => day.match(/<\w/g)?.length)).toEqual([2, 2]);
  expect(days.map((day) => /--bar:([^";]+)/.exec(day)?.[1])).toEqual(['max(2px, 64%)', undefined]);
});
