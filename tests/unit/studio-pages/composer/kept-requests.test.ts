import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  isClosed,
  keepRequest,
  paidTwin,
  unansweredOf,
  updateKept,
} from '#app/_studio/composer/sending/kept-requests.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

const request = { key: 'k1', body: '{"a":1}', title: 'Une bougie', rows: [], isPaid: false };

it('a request that another tab called off is closed in all of them, and its body keeps its key', () => {
  keepRequest('mbr_a', { ...request, at: new Date().toISOString(), state: 'waiting' });
  expect(isClosed('mbr_a', 'k1')).toBe(false);
  updateKept('mbr_a', 'k1', { state: 'closed' });
  expect(isClosed('mbr_a', 'k1')).toBe(true);
  // For this member only.
  expect(isClosed('mbr_b', 'k1')).toBe(false);
  expect(unansweredOf('mbr_a', request.body)?.key).toBe('k1');
});

it('a request that was answered and paid is told from one that cost nothing', () => {
  keepRequest('mbr_a', { ...request, at: new Date().toISOString(), state: 'answered', isPaid: true });
  expect(paidTwin('mbr_a', request.body)?.key).toBe('k1');
  expect(unansweredOf('mbr_a', request.body)).toBeUndefined();
  updateKept('mbr_a', 'k1', { isPaid: false });
  expect(paidTwin('mbr_a', request.body)).toBeUndefined();
});
