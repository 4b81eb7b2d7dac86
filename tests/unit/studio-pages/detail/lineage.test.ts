import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Lineage } from '#app/_studio/detail/lineage.tsx';
import type { LineageEntry } from '#lib/storage/assets/read-lineage.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const drawn = (length: number) =>
  renderToStaticMarkup(
    createElement(Lineage, {
      now: NOW,
      entries: Array.from(
        { length },
        (_, at): LineageEntry => ({
          generationId: `gen_${at}`,
          ancestorId: null,
          relation: 'variant',
          createdAt: NOW,
          assetId: null,
          pathname: null,
          type: null,
          state: null,
        }),
      ),
    }),
  );

test('a lineage that is longer than what is shown of it says so', () => {
  expect(drawn(61).match(/<li/g)).toHaveLength(60);
  expect(drawn(61)).toContain('Les 60 plus anciennes');
  expect(drawn(60)).not.toContain('plus anciennes');
});
