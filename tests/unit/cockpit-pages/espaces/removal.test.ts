import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { useRemoval } from '#app/(cockpit)/espaces/[id]/_board/removal-question.tsx';
import { indexRows } from '#app/(cockpit)/espaces/[id]/_tree/tree.ts';
import type { PillarView } from '#lib/brain/queries/view-space.ts';
import { until } from '#tests/setup/until.ts';

/** Rows of one pillar, each given as `[id, depth, parentId]`. */
const pillarsOf = (...rows: [string, number, string | null][]) =>
  [
    { role: 'IDENTITY', memories: rows.map(([id, depth, parentId]) => ({ id, depth, parentId, title: id })) },
  ] as unknown as PillarView[];

let removal: ReturnType<typeof useRemoval>;
let drawn = 0;
const removed: string[] = [];
const remove = (id: string) => void removed.push(id);
function Board({ pillars }: { pillars: PillarView[] }) {
  removal = useRemoval(pillars, indexRows(pillars), remove);
  drawn += 1;
  return null;
}

it('a Memory is not deleted without a question with what was just added to it, which the page has not read yet', async () => {
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', window.document);
  const root = createRoot(window.document.querySelector('main') as Element);
  const draw = async (...rows: [string, number, string | null][]) => {
    const before = drawn;
    root.render(createElement(Board, { pillars: pillarsOf(...rows) }));
    await until('the rows', () => drawn > before);
    // Its effects have run.
    await new Promise((done) => setTimeout(done, 20));
  };
  const question = async (id: string) => {
    removal.askRemoval(id);
    await new Promise((done) => setTimeout(done, 20));
    return removal.asked?.within ?? null;
  };
  try {
    await draw(['alpha', 0, null], ['beta', 1, 'alpha'], ['gamma', 0, null]);
    removal.added('delta', 'beta');
    removal.added('epsilon', null);
    expect(await question('beta')).toBe(1);
    expect(await question('alpha')).toBe(2);
    expect(removed).toEqual([]);
    removal.close();
    // Read by now, then deleted: it is counted no more.
    await draw(['alpha', 0, null], ['beta', 1, 'alpha'], ['delta', 2, 'beta'], ['gamma', 0, null]);
    expect(await question('beta')).toBe(1);
    removal.close();
    await draw(['alpha', 0, null], ['beta', 1, 'alpha'], ['gamma', 0, null]);
    expect([await question('beta'), await question('gamma'), removed]).toEqual([
      null,
      null,
      ['beta', 'gamma'],
    ]);
  } finally {
    root.unmount();
    await new Promise((done) => setTimeout(done, 10));
    vi.unstubAllGlobals();
  }
});
