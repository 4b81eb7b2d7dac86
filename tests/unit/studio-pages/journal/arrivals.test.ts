import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { useArrivals } from '#app/_studio/journal/use-arrivals.ts';
import type { ApiError } from '#app/_ui/api-error.ts';
import { until } from '#tests/setup/until.ts';

/** What the page was told of its session: the status of a refusal, or that there is none any more. */
const told: (number | null)[] = [];
const arrived: string[] = [];
const FILTERS = {};
function Page() {
  useArrivals(
    FILTERS,
    (rows) => arrived.push(...rows.map(({ id }) => id)),
    (error: ApiError | null) => told.push(error && error.status),
  );
  return null;
}

it('a page whose session is over stays stopped, though an answer from before comes after the refusal', async () => {
  const window = parseHTML('<html><body><main></main></body></html>');
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', Object.assign(window.document, { hidden: false }));
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((answer) => answers.push(answer)));
  const root = createRoot(window.document.querySelector('main') as Element);
  try {
    root.render(createElement(Page));
    const comesBack = () => document.dispatchEvent(new window.Event('visibilitychange'));
    await until('the page to ask as it is seen', () => {
      if (answers.length === 0) comesBack();
      return answers.length === 1;
    });
    comesBack();
    await until('the page to ask again', () => answers.length === 2);
    const refusal = { error: { code: 'unauthenticated', message: 'Votre session est terminée.' } };
    answers[1]?.(Response.json(refusal, { status: 401 }));
    await until('the refusal to be told', () => told.length === 1);
    answers[0]?.(Response.json({ generations: [{ id: 'gen_a' }], nextCursor: null }));
    await new Promise((done) => setTimeout(done, 50));
    expect({ told, arrived }).toEqual({ told: [401], arrived: [] });
    // Seen again, with a session again: the answer is taken.
    comesBack();
    await until('the page to ask once more', () => answers.length === 3);
    answers[2]?.(Response.json({ generations: [{ id: 'gen_b' }], nextCursor: null }));
    await until('the answer to be taken', () => arrived.length === 1);
    expect(told).toEqual([401, null]);
  } finally {
    root.unmount();
    await new Promise((done) => setTimeout(done, 10));
    vi.unstubAllGlobals();
  }
});
