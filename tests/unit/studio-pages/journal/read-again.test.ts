import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFileRetention } from '#app/_studio/journal/use-file-retention.ts';
import { useBinned } from '#app/_studio/review/use-binned.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { until } from '#tests/setup/until.ts';

let root: Root;

beforeEach(() => {
  known = undefined;
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  Object.assign(window.document, { hidden: true });
  root = createRoot(window.document.querySelector('main') as Element);
});
afterEach(async () => {
  root.unmount();
  await new Promise<void>((resolve) => setTimeout(resolve, 10));
});
afterAll(() => vi.unstubAllGlobals());

/** The page is seen for this moment alone: hidden, it asks nobody, however long a process that is held takes to come here. */
const comesBack = () => {
  Object.assign(document, { hidden: false });
  document.dispatchEvent(new window.Event('visibilitychange'));
  return Object.assign(document, { hidden: true });
};
const refused = { status: 'refused', message: 'Votre session est terminée.' } as const;

/** A reading that is lost, then refused, then answered with `data`. */
function after<Data>(data: Data) {
  const answers = [() => Promise.reject(new TypeError('fetch failed')), async () => refused];
  let asked = 0;
  return {
    asked: () => asked,
    read: async () => {
      asked += 1;
      return answers[asked - 1]?.() ?? { status: 'done' as const, data };
    },
  };
}

const rowsOf = (row: object) => [{ id: 'gen_a', ...row }] as unknown as GenerationView[];
const delivered = rowsOf({ status: 'done', files: [{}] });
const binned = rowsOf({ status: 'deleted', files: [] });
const file = { id: 'ast_a', generationId: 'gen_a', state: 'GENERATED', reviews: ['approve', 'reject'] };
const term = { generationId: 'gen_a', erasedAt: '2026-12-01T00:00:00.000Z' };

/** What a list knows of its generation. */
let known: unknown;
function Delivered({ read, rows }: { read: () => Promise<unknown>; rows: GenerationView[] }) {
  known = useFileRetention(rows, read as never).files.get('gen_a');
  return null;
}
function Binned({ read }: { read: () => Promise<unknown> }) {
  known = useBinned(binned, read as never).of.get('gen_a');
  return null;
}

it('the files of a delivered generation, whose reading was lost and then refused, are read again', async () => {
  const { asked, read } = after([file]);
  root.render(createElement(Delivered, { read, rows: delivered }));
  await until('the first reading', () => asked() === 1);
  // Drawn again with each letter that is typed beside it, the list does not ask with each of them.
  root.render(createElement(Delivered, { read, rows: [...delivered] }));
  await new Promise<void>((resolve) => setTimeout(resolve, 20));
  expect(asked()).toBe(1);
  await until('the second reading', () => comesBack() && asked() === 2);
  await until('the files', () => comesBack() && known);
  expect(known).toEqual([file]);
});

it('the term of files in the bin, whose reading was lost and then refused, is read again', async () => {
  const { asked, read } = after([term]);
  root.render(createElement(Binned, { read }));
  await until('the first reading', () => asked() === 1);
  await until('the term', () => comesBack() && known);
  expect(known).toBe(term.erasedAt);
});
