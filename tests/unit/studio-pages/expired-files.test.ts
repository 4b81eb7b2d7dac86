import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Delivered } from '#app/_studio/detail/delivered.tsx';
import { TilePages } from '#app/_studio/journal/rows/pages.tsx';
import { shownOf } from '#app/_studio/lightbox/shown.ts';
import type { GenerationFile } from '#lib/storage/assets/read-generation-files.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const fileOf = (pathname: string) => ({
  url: `/api/files/${pathname}`,
  pathname,
  contentType: 'audio/mpeg',
  bytes: 1_024,
  width: null,
  height: null,
  durationMs: 2_000,
  provenance: 'mark',
});
const row = {
  id: 'gen_1',
  status: 'done',
  productId: 'libre',
  captions: null,
  files: ['generations/gen_1/a.mp3', 'generations/gen_1/b.mp3'].map(fileOf),
} as unknown as GenerationView;
const kept = (pathname: string) =>
  ({
    id: 'ast_1',
    generationId: 'gen_1',
    pathname,
    type: 'AUDIO',
    state: 'GENERATED',
    reviewReason: null,
    lasting: 'concept',
    expiresAt: null,
    reviews: [],
  }) as unknown as GenerationFile;

test('a file that retention deleted beside one that is kept says so, and offers nothing that would fail', () => {
  const html = renderToStaticMarkup(
    createElement(Delivered, {
      row,
      title: 'Bonjour',
      files: [kept('generations/gen_1/b.mp3')],
      canGenerate: false,
      concepts: { concepts: [], hasOlder: false },
      avatarFiles: new Set<string>(),
      lessons: [],
      now: NOW,
      filters: {},
      query: {},
    }),
  );
  const [, first = '', second = ''] = html.split('<li ');
  expect(first).toContain('Fichier 1 sur 2');
  expect(first).toContain('Rien ne gardait ce fichier au-delà de 30 jours.');
  expect(first).not.toContain('/api/files/');
  expect(second).toContain('Fichier 2 sur 2');
  expect(second).toContain('/api/files/generations/gen_1/b.mp3?download=1');
});

const gone = fileOf('generations/gen_1/a.png');
const both = [
  { ...gone, contentType: 'image/png', deletedAt: '2026-11-20T03:40:00.000Z' },
  { ...fileOf('generations/gen_1/b.png'), contentType: 'image/png', deletedAt: null },
] as unknown as GenerationView['files'];

test('a tile and the whole screen show and count the file that is left, not the one that is gone before it', () => {
  const tile = renderToStaticMarkup(createElement(TilePages, { files: both, alt: 'Une bougie' }));
  expect(tile).toContain('/api/files/generations/gen_1/b.png');
  expect(tile).not.toContain('a.png');
  expect(tile).not.toContain('1/2');
  const shown = shownOf({ ...row, params: {}, files: both } as unknown as GenerationView);
  expect(shown.files.map(({ pathname }) => pathname)).toEqual(['generations/gen_1/b.png']);
});
