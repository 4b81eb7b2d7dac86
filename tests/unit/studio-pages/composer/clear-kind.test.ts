import { expect, it } from 'vitest';
import { clearKind } from '#app/_studio/composer/draft/clear-kind.ts';
import { type ComposerData, type Draft, EMPTY_DRAFT } from '#app/_studio/composer/draft/draft.ts';
import { noteLanding } from '#app/_studio/composer/draft/landed.ts';

const data = { cases: {}, templates: [] } as unknown as ComposerData;

it('what is emptied and taken back has the files that came in, or were refused, meanwhile', () => {
  const onItsWay = (key: string) => ({ key, role: 'images' as const, ref: null, name: `${key}.png` });
  const draft: Draft = {
    ...EMPTY_DRAFT,
    brief: 'Une bougie',
    references: [onItsWay('in'), onItsWay('refused'), onItsWay('still')],
  };
  const clear = clearKind(draft, data);
  if (!clear) throw new Error('something to empty');
  const emptied = { ...draft, ...clear.cleared(draft) };
  expect(emptied.references).toEqual([]);
  noteLanding('in', { ref: 'upl_1', contentType: 'image/png' });
  noteLanding('refused', { refusal: 'Cette image est abîmée.' });
  const again = { ...emptied, ...clear.restored(emptied) };
  expect(again.brief).toBe('Une bougie');
  // The last one is still being uploaded: nothing more is known.
  expect(again.references.map(({ key, ref, refusal }) => [key, ref, refusal])).toEqual([
    ['in', 'upl_1', undefined],
    ['refused', null, 'Cette image est abîmée.'],
    ['still', null, undefined],
  ]);
});

it('a signed document that came in after its kind was emptied is there when that is taken back', () => {
  const draft: Draft = {
    ...EMPTY_DRAFT,
    kind: 'voice',
    text: 'Bonjour',
    consentDocument: { key: 'scan', ref: null, name: 'accord.pdf' },
  };
  const clear = clearKind(draft, data);
  if (!clear) throw new Error('something to empty');
  const emptied = { ...draft, ...clear.cleared(draft) };
  expect(emptied.consentDocument).toBeNull();
  noteLanding('scan', { ref: 'upl_2' });
  expect({ ...emptied, ...clear.restored(emptied) }.consentDocument).toMatchObject({ ref: 'upl_2' });
});
