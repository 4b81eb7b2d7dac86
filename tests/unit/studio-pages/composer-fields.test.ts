import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type ComposerData, EMPTY_DRAFT } from '#app/_studio/composer/draft/draft.ts';
import { wholePicture } from '#app/_studio/composer/fields/brush.ts';
import { BriefFields, type FieldsProps } from '#app/_studio/composer/fields/fields.tsx';
import ProductField from '#app/_studio/composer/fields/product-field.tsx';
import PreviewPanel from '#app/_studio/composer/preview/preview-panel.tsx';

const data = {
  products: [{ id: 'libre', name: 'Libre', tone: null, promises: [], shopDomains: [] }],
  spaces: [],
  skills: [],
} as unknown as ComposerData;
const props = (draft: Partial<FieldsProps['draft']>): FieldsProps => ({
  draft: { ...EMPTY_DRAFT, ...draft },
  data,
  change: () => {},
  problem: () => undefined,
  asked: false,
});
/** The options of a form’s fields, each by what it sends; the chosen one with a star. */
const options = (html: string) =>
  [...html.matchAll(/<option value="([^"]*)"( selected="")?>/g)].map(
    ([, value, chosen]) => `${value}${chosen ? '*' : ''}`,
  );

test('a Space that was chosen and is gone is shown as what will be sent, and can be put away', () => {
  const html = renderToStaticMarkup(createElement(BriefFields, props({ spaceId: 'spc_gone' })));
  expect(options(html)).toEqual(['', 'spc_gone*']);
  expect(html).toContain('Espace introuvable');
  // Where there is no Space and none was chosen, there is nothing to choose.
  expect(options(renderToStaticMarkup(createElement(BriefFields, props({}))))).toEqual([]);
});

test('a product that was chosen and is gone is shown as what will be sent, and can be changed', () => {
  const html = renderToStaticMarkup(
    createElement(ProductField, { ...props({ productId: 'parti' }), product: undefined }),
  );
  expect(options(html)).toEqual(['libre', 'parti*']);
  expect(html).toContain('Produit introuvable');
});

test('the region that says why a request would be refused is there before its words', () => {
  const html = renderToStaticMarkup(
    createElement(PreviewPanel, {
      state: { preview: null, refusal: null, stale: true },
      wallet: { availableUsd: 1, perGenerationCapUsd: null, monthlyCapUsd: null, monthUsedUsd: 0 },
      kind: 'image',
      written: false,
      variants: 1,
    }),
  );
  expect(html).toMatch(/<div role="status"[^>]*><\/div>/);
});

test('a mask is painted on the picture itself, not on its thumbnail', () => {
  expect(wholePicture('/api/files/a/b.png?thumbnail=1')).toBe('/api/files/a/b.png');
  expect(wholePicture('/api/files/a/b.png')).toBe('/api/files/a/b.png');
});
