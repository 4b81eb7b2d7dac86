import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetOnceOut } from '#app/_cockpit/forget-once-out.ts';
import { leaveRenderDraft, readRenderDraft } from '#app/_cockpit/render-draft.ts';
import { leaving } from '#app/_ui/shell/arriving/leaving.ts';
import {
  keepDraft,
  keepNewDraft,
  readDraft,
  readNewDraft,
} from '#app/(cockpit)/espaces/[id]/_memory/draft.ts';

const AT = { pillar: 'IDENTITY', parentId: null } as const;
const TEXT = { version: 3, title: 'Ton', body: 'Ce que je n’ai pas fini.' };
const NEW = { key: 'k1', title: 'Promesse', body: 'Un début.', pillar: 'IDENTITY' } as const;
const RENDER = { template: 'quote-card', size: '1080x1080', productId: 'libre', fields: { quote: 'Secret' } };

/** The storage of one browser tab. */
function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

/** Whether the browser would ask before it closes the tab. */
function asks(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(leaving);
  return leaving.defaultPrevented;
}

/** Waits for what an answered question triggers. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 10));

/** The error that an action gives in a browser when it leads to another page. */
const led = () => Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;push;/connexion;307;' });

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('sessionStorage', storage());
  keepDraft('mbr_a', 'mem_1', TEXT);
  keepNewDraft('mbr_a', 'spc_1', AT, NEW);
  leaveRenderDraft('mbr_a', RENDER);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const drafts = (memberId: string) => [
  readDraft(memberId, 'mem_1'),
  readNewDraft(memberId, 'spc_1', AT),
  readRenderDraft(memberId, 'quote-card'),
];

test('what a member typed and did not save is offered to nobody else of the same tab, and stays theirs', () => {
  expect(drafts('mbr_b')).toEqual([null, null, null]);
  keepDraft('mbr_b', 'mem_1', { ...TEXT, body: 'Le mien.' });
  keepNewDraft('mbr_b', 'spc_1', AT, null);
  expect(drafts('mbr_a')).toEqual([TEXT, NEW, RENDER]);
});

test('it goes once the session is ended, and not when ending it was refused or lost', async () => {
  const lost = new TypeError('Failed to fetch');
  await expect(forgetOnceOut(Promise.reject(lost))).rejects.toBe(lost);
  expect(await forgetOnceOut(Promise.resolve('refused'))).toBe('refused');
  expect(drafts('mbr_a')).toEqual([TEXT, NEW, RENDER]);
  const away = led();
  await expect(forgetOnceOut(Promise.reject(away))).rejects.toBe(away);
  expect(drafts('mbr_a')).toEqual([null, null, null]);
});

test('the browser asks before it closes a tab over what was typed, until it is saved or its member signed out', async () => {
  expect(asks()).toBe(true);
  keepDraft('mbr_a', 'mem_1', null);
  expect(asks()).toBe(true);
  keepNewDraft('mbr_a', 'spc_1', AT, null);
  expect(asks()).toBe(false);
  keepDraft('mbr_a', 'mem_1', TEXT);
  expect(asks()).toBe(true);
  await expect(forgetOnceOut(Promise.reject(led()))).rejects.toThrow();
  expect(asks()).toBe(false);
});

test('it asks too over a draft that a reload found again, and over one for which the tab had no room', () => {
  const kept = sessionStorage.getItem('brouillon:mbr_a:mem_1') ?? '';
  keepDraft('mbr_a', 'mem_1', null);
  keepNewDraft('mbr_a', 'spc_1', AT, null);
  sessionStorage.setItem('brouillon:mbr_a:mem_1', kept);
  expect(asks()).toBe(false);
  expect(readDraft('mbr_a', 'mem_1')).toEqual(TEXT);
  expect(asks()).toBe(true);
  keepDraft('mbr_a', 'mem_1', null);
  const full = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', { ...storage(), setItem: full });
  keepDraft('mbr_a', 'mem_1', TEXT);
  expect(asks()).toBe(true);
  keepDraft('mbr_a', 'mem_1', null);
  expect(asks()).toBe(false);
});

test('who is asked, and stays, sees the page again in place of the one that was on its way, which is known as called off', async () => {
  const stay = vi.fn();
  Object.assign(leaving, { stay: null, to: 'https://atelier.test/journal', calledOff: undefined });
  expect(asks()).toBe(true);
  await pause();
  expect(leaving.calledOff).toBeUndefined();
  leaving.stay = stay;
  expect(asks()).toBe(true);
  await pause();
  expect(stay).toHaveBeenCalledOnce();
  expect(leaving.calledOff).toBe('https://atelier.test/journal');
  keepDraft('mbr_a', 'mem_1', null);
  keepNewDraft('mbr_a', 'spc_1', AT, null);
  expect(asks()).toBe(false);
  await pause();
  expect(stay).toHaveBeenCalledOnce();
  Object.assign(leaving, { stay: null, to: undefined, calledOff: undefined });
});

test('a template that was filled in is there again after another one was', () => {
  leaveRenderDraft('mbr_a', { ...RENDER, template: 'carousel', fields: { title: 'Autre' } });
  expect(readRenderDraft('mbr_a', 'quote-card')).toEqual(RENDER);
  expect(readRenderDraft('mbr_a', 'carousel')?.fields).toEqual({ title: 'Autre' });
});
