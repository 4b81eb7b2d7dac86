import { expect, test } from 'vitest';
import type { TemplateDefinition } from '#lib/studio/templates/drawing/types.ts';
import { renderBrief } from '#lib/studio/templates/fields.ts';

const template = {
  id: 't',
  name: 'Carte',
  fields: [
    { id: 'title', label: 'Titre', kind: 'text', required: true },
    { id: 'photo', label: 'Photo', kind: 'image', required: false },
    {
      id: 'points',
      label: 'Points',
      kind: 'list',
      required: false,
      item: [{ id: 'text', label: 'Texte', kind: 'text', required: true }],
    },
  ],
} as unknown as TemplateDefinition;

test('a render is called by its template and its texts, in their order', () => {
  const fields = { title: 'Écrin', photo: 'upl_1', points: [{ text: 'Cire' }, { text: 'Verre' }] };
  expect(renderBrief(template, fields)).toBe('Carte\u00a0: Écrin · Cire · Verre');
});

test('what is called so is cut within no character: half of one is no text that a row can hold', () => {
  const whole = (title: string) => renderBrief(template, { title });
  const head = 'Carte\u00a0: '.length;
  expect(whole('a'.repeat(300 - head))).toBe(`Carte\u00a0: ${'a'.repeat(300 - head)}`);
  for (let length = 285; length < 300; length += 1) {
    const brief = whole(`${'a'.repeat(length - head)}𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜𝒜`);
    expect(brief.isWellFormed()).toBe(true);
    expect(brief.length).toBeLessThanOrEqual(300);
  }
});
