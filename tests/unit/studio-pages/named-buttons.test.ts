import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime.js';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Comments } from '#app/_studio/comments/comments.tsx';
import { FileActions } from '#app/_studio/detail/file-actions.tsx';

/** The names of the buttons that begin so. */
function named(begin: string, element: ReactElement): string[] {
  const html = renderToStaticMarkup(createElement(AppRouterContext, { value: {} as never }, element));
  return [...html.matchAll(/aria-label="([^"]*)"/g)].flatMap(([, name = '']) =>
    name.startsWith(begin) ? [name.replaceAll('\u00a0', ' ')] : [],
  );
}

test('the buttons that delete comments are told apart by the words of each, in one line and cut short', () => {
  const comment = (id: string, memberId: string, text: string) => ({
    id,
    memberId,
    text,
    createdAt: new Date(0),
  });
  const names = named(
    'Supprimer',
    createElement(Comments, {
      generationId: 'gen_a',
      comments: [
        comment('a', 'own', 'La mèche\nest floue'),
        comment('b', 'own', 'Oui'),
        comment('c', 'other', 'x'.repeat(200)),
      ],
      nameOf: (id) => (id === 'other' ? 'Inès' : null),
      mentionable: [],
      memberId: 'own',
      mayDeleteAll: true,
      now: new Date(0),
    }),
  );
  expect(names).toEqual([
    'Supprimer votre commentaire : La mèche est floue',
    'Supprimer votre commentaire : Oui',
    `Supprimer le commentaire d’Inès : ${'x'.repeat(59)}…`,
  ]);
});

test('the buttons that forget lessons are told apart by the words of each', () => {
  const lessons = [
    { id: 'a', text: 'Moins de contraste.' },
    { id: 'b', text: 'Plus près.' },
  ];
  const file = {
    id: 'ast_a',
    type: 'IMAGE',
    state: 'APPROVED',
    reviews: [],
    concept: null,
    lessons,
  } as const;
  const props = {
    file: { ...file, reviews: [], lessons },
    productId: 'libre',
    concepts: { concepts: [], hasOlder: false },
    isAvatar: false,
  };
  expect(named('Oublier', createElement(FileActions, props))).toEqual([
    'Oublier cette leçon : Moins de contraste.',
    'Oublier cette leçon : Plus près.',
  ]);
});
