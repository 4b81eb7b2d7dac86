import { parseHTML } from 'linkedom';
import { expect, it } from 'vitest';
import { wordsOf } from '#app/_ui/overlay/tooltips.tsx';

const toldOf = (html: string) =>
  wordsOf(parseHTML(`<html><body>${html}</body></html>`).document.body.firstElementChild as HTMLElement);

it('a tooltip tells its own words, the exact moment of a time, and no more of a cut text than one can read', () => {
  expect(toldOf('<a data-tip="Journal · g j">Journal</a>')).toBe('Journal · g j');
  const moment = toldOf('<time datetime="2026-11-21T10:28:00.000Z" data-tip="">2 min</time>');
  expect(moment.replace(/\s/g, ' ')).toBe('samedi 21 novembre 2026 à 11:28:00 (heure de Paris)');
  expect(toldOf('<p class="truncate">Bougie ambrée</p>')).toBe('Bougie ambrée');
  expect(toldOf(`<p class="truncate">${'a'.repeat(8_000)}</p>`)).toHaveLength(600);
  expect(toldOf('<button data-tip="">Rien</button>')).toBe('');
});
