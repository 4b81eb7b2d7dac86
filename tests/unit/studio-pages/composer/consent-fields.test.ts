import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type ComposerData, EMPTY_DRAFT } from '#app/_studio/composer/draft/draft.ts';
import type { FieldsProps } from '#app/_studio/composer/fields/fields.tsx';
import { ConsentFields } from '#app/_studio/composer/fields/kinds/consent-fields.tsx';

const NAME = 'Nommez la personne dont c’est la voix.';
const DATE = 'Donnez la date de sa signature.';
const DOCUMENT = 'Joignez le document signé.';
const refused: FieldsProps['problem'] = (...names) =>
  names.includes('voice-unverified') ? 'L’origine de cette voix n’a pas pu être vérifiée.' : undefined;

/** The parts of the consent that the form says are missing. */
function lacking(draft: Partial<FieldsProps['draft']>, given: Partial<FieldsProps> = {}) {
  const html = renderToStaticMarkup(
    createElement(ConsentFields, {
      draft: { ...EMPTY_DRAFT, kind: 'voice', ...draft },
      data: {} as ComposerData,
      change: () => {},
      problem: refused,
      asked: true,
      ...given,
    }),
  );
  return [NAME, DATE, DOCUMENT].filter((sentence) => html.includes(sentence));
}

test('a consent that lacks a part names it once the button was pressed, not the voice alone', () => {
  const document = { key: 'a', ref: 'upl_a', name: 'accord.pdf' };
  expect(lacking({ consentDate: '2026-02-10', consentDocument: document })).toEqual([NAME]);
  expect(lacking({ consentName: 'Paul Vasseur', consentDocument: document })).toEqual([DATE]);
  expect(lacking({ consentName: '  ' })).toEqual([NAME, DATE, DOCUMENT]);
});

test('before the press, and for a voice that needs no consent, nothing is missing', () => {
  expect(lacking({}, { asked: false })).toEqual([]);
  expect(lacking({ consentName: 'Paul Vasseur' }, { problem: () => undefined })).toEqual([]);
});
