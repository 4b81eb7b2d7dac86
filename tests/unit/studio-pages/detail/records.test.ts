import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Audit } from '#app/_studio/detail/records.tsx';
import type { TrailEntry } from '#lib/studio/journal/read-trail.ts';

const now = new Date('2026-11-21T10:00:00Z');
const entry = (n: number): TrailEntry => ({
  id: `aud_${n}`,
  at: now,
  action: 'asset.approved',
  actor: 'member:mbr_1',
  actorName: 'Camille Aubry',
  subjectType: 'asset',
  subjectId: 'fil_1',
  data: {},
  requestId: 'req_1',
  traceId: null,
});
const subjects = [
  { id: 'gen_1', name: 'cette génération' },
  { id: 'fil_1', name: 'fichier 1' },
];
const drawn = (isCut: boolean) =>
  renderToStaticMarkup(createElement(Audit, { entries: [entry(1), entry(2)], isCut, subjects, now }));

it('an audit beside a generation that is not whole says how much of it is shown, and leads to the rest', () => {
  expect(drawn(false)).not.toContain('/audit?objet=');
  expect(drawn(true)).toContain('Les 2 lignes les plus récentes');
  for (const { id, name } of subjects)
    expect(drawn(true)).toMatch(new RegExp(`href="/audit\\?objet=${id}"[^>]*>${name}<`));
});
