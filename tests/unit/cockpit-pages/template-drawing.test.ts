import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Values } from '#app/(cockpit)/modeles/[id]/fields.tsx';
import { Preview } from '#app/(cockpit)/modeles/[id]/preview.tsx';
import { useDrawing } from '#app/(cockpit)/modeles/[id]/use-drawing.ts';
import { until } from '#tests/setup/until.ts';

let root: Root;
let seen: ReturnType<typeof useDrawing>;
/** What the service answers to a check; null for a lost network. */
let answer: Response | null;

const photos = {};
function Drawing({ values }: { values: Values }) {
  seen = useDrawing({
    templateId: 'quote-card',
    values,
    photos,
    size: 'square',
    productId: 'libre',
    page: 0,
  });
  return null;
}
const draw = (values: Values) => root.render(createElement(Drawing, { values }));
const verdict = { problems: [], missing: [], examples: [], pages: 0 };
const said = () => {
  const { picture, state, refusal } = seen;
  const props = { name: 'Citation', size: undefined, pages: 1, page: 0, onPage: () => {} };
  return renderToStaticMarkup(createElement(Preview, { ...props, picture, state, refusal }));
};

beforeEach(() => {
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('fetch', async () => {
    if (!answer) throw new TypeError('fetch failed');
    return answer;
  });
  root = createRoot(window.document.querySelector('main') as Element);
});
afterEach(async () => {
  root.unmount();
  await new Promise<void>((resolve) => setTimeout(resolve, 10));
});
afterAll(() => vi.unstubAllGlobals());

it('a preview that the service refuses says why, not that the next change brings it back', async () => {
  answer = Response.json({ error: { code: 'unauthenticated', message: 'Connectez-vous.' } }, { status: 401 });
  draw({ quote: 'Bonjour' });
  await until('the refusal', () => seen.state === 'lost');
  expect(said()).toContain('Votre saisie est toujours là. Connectez-vous.');
  expect(said()).not.toContain('prochaine modification');
});

it('a text that could not be checked has no verdict, and least of all that of the text before it', async () => {
  answer = Response.json(verdict);
  draw({ quote: 'Bonjour' });
  await until('the verdict', () => seen.check);
  answer = null;
  draw({ quote: 'Le meilleur produit du monde' });
  await until('the lost check', () => seen.state === 'lost');
  expect(seen.check).toBeNull();
  expect(said()).toContain('il reviendra à la prochaine modification');
});
