import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type ComposerData, EMPTY_DRAFT } from '#app/_studio/composer/draft/draft.ts';
import { wholePicture } from '#app/_studio/composer/fields/brush.ts';
import { BriefFields, type FieldsProps } from '#app/_studio/composer/fields/fields.tsx';
import { RenderFields } from '#app/_studio/composer/fields/kinds/render-fields.tsx';
import { VoiceFields } from '#app/_studio/composer/fields/kinds/voice-fields.tsx';
import ProductField from '#app/_studio/composer/fields/product-field.tsx';
import References from '#app/_studio/composer/fields/references.tsx';
import type { Bring } from '#app/_studio/composer/fields/use-bring.ts';
import PreviewPanel from '#app/_studio/composer/preview/preview-panel.tsx';
import { MarkedProblems } from '#app/(cockpit)/modeles/[id]/marked-problems.tsx';
import { PhotoField } from '#app/(cockpit)/modeles/[id]/photo-field.tsx';

const data = {
  cases: {},
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
/** The options of a form's fields, by their values; the selected one with a star. */
const options = (html: string) =>
  [...html.matchAll(/<option value="([^"]*)"( selected="")?>/g)].map(
    ([, value, chosen]) => `${value}${chosen ? '*' : ''}`,
  );

test('a Space that was chosen and is gone is shown as what will be sent, and can be put away', () => {
  const html = renderToStaticMarkup(createElement(BriefFields, props({ spaceId: 'spc_gone' })));
  expect(options(html)).toEqual(['', 'spc_gone*']);
  expect(html).toContain('Espace introuvable');
  // Without any Space, and none chosen, there is nothing to choose.
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

test('the region that says why a reference would not leave is there before its words', () => {
  const reference = { key: 'a', role: 'images', ref: 'upl_1', name: 'a.png' } as const;
  const html = renderToStaticMarkup(
    createElement(References, {
      draft: { ...EMPTY_DRAFT, references: [reference] },
      bring: { roles: ['images'], takesClips: false } as unknown as Bring,
      reasons: new Map(),
      refusalOf: () => null,
      durationOf: () => undefined,
    }),
  );
  expect(html).toMatch(/<span role="status"[^>]*><\/span>/);
});

test('a list of a template that is full keeps the button that adds to it, and so the focus of who filled it', () => {
  const field = { id: 'points', label: 'Points', kind: 'list', required: false, maxLength: 2, item: [] };
  const template = { id: 't', name: 'T', description: '', sizes: [], fields: [field] };
  const drawn = (...points: Record<string, string>[]) =>
    renderToStaticMarkup(
      createElement(RenderFields, {
        ...props({ kind: 'render', template: 't', fields: { t: { points } } }),
        data: { ...data, templates: [template] } as unknown as ComposerData,
      }),
    );
  const adds = /<button([^>]*)>(?:(?!<\/button>).)*Ajouter un élément/s;
  expect(adds.exec(drawn({}))?.[1]).not.toContain('aria-disabled');
  expect(adds.exec(drawn({}, {}))?.[1]).toContain('aria-disabled="true"');
});

test('what must be corrected is shown among its words, and no emoji of them is halved', () => {
  const text = `${'🕯'.repeat(60)}x—x${'🕯'.repeat(60)}`;
  const start = text.indexOf('—');
  const problems = [{ field: 'quote', message: 'Sans tiret.', start, end: start + 1 }];
  const html = renderToStaticMarkup(createElement(MarkedProblems, { id: 'a', text, problems }));
  expect(html).toContain('>—</mark>x🕯');
  expect(html.isWellFormed()).toBe(true);
});

test('the images that a template tries are told apart by the name of their field', () => {
  const field = { id: 'before', label: 'Photo d’avant', kind: 'image', required: true } as const;
  const html = renderToStaticMarkup(
    createElement(PhotoField, { field, photo: 'data:image/png;base64,', onPhoto: () => {} }),
  );
  expect(html.match(/ \(Photo d’avant\)<\/span>/g)).toHaveLength(2);
});

test('a refused setting of a voice is in sight under its field: the settings are open', () => {
  const drawn = (refused?: string) =>
    renderToStaticMarkup(
      createElement(VoiceFields, {
        ...props({ kind: 'voice', text: 'Bonjour', speed: '12' }),
        problem: (...names) => (refused && names.includes(refused) ? 'Au plus 1,2.' : undefined),
      }),
    );
  expect(drawn()).not.toMatch(/<details[^>]* open=/);
  expect(drawn('speed')).toMatch(/<details[^>]* open="".*aria-invalid="true"[^>]*value="12".*Au plus 1,2\./s);
});
