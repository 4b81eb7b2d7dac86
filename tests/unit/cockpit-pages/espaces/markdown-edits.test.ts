import { describe, expect, it } from 'vitest';
import {
  type Edit,
  editFor,
  editForEnter,
  type Field,
  type Shortcut,
} from '#app/(cockpit)/espaces/[id]/_memory/writing/markdown-edits.ts';

/** « un ⟦mot⟧ » or « un | » as a field: brackets mark the selection, the bar is the caret. */
function field(shown: string): Field {
  const start = shown.search(/[⟦|]/);
  const text = shown.replace(/[⟦⟧|]/g, '');
  return { text, start, end: shown.includes('⟦') ? shown.indexOf('⟧') - 1 : start };
}

function shown({ text }: Field, edit: Edit | null): string {
  if (!edit) return 'ordinary';
  const next = text.slice(0, edit.from) + edit.insert + text.slice(edit.to);
  const { start, end } = edit;
  return start === end
    ? `${next.slice(0, start)}|${next.slice(start)}`
    : `${next.slice(0, start)}⟦${next.slice(start, end)}⟧${next.slice(end)}`;
}

describe('a shortcut of Markdown', () => {
  it.each<[Shortcut, string, string]>([
    ['bold', 'un ⟦mot⟧ ici', 'un **⟦mot⟧** ici'],
    ['bold', 'un **⟦mot⟧** ici', 'un ⟦mot⟧ ici'],
    ['bold', 'un ⟦**mot**⟧ ici', 'un ⟦mot⟧ ici'],
    ['bold', 'un⟦ mot ⟧ici', 'un **⟦mot⟧** ici'],
    ['bold', 'un |', 'un **|**'],
    ['bold', 'un **|**', 'un |'],
    ['bold', '*⟦mot⟧*', '***⟦mot⟧***'],
    ['italic', '**⟦mot⟧**', '***⟦mot⟧***'],
    ['italic', '***⟦mot⟧***', '**⟦mot⟧**'],
    ['bold', '***⟦mot⟧***', '*⟦mot⟧*'],
    ['italic', 'un ⟦mot⟧', 'un *⟦mot⟧*'],
    ['link', 'voir ⟦le site⟧.', 'voir [le site](|).'],
    ['link', 'voir ⟦https://exemple.test/a⟧.', 'voir [|](https://exemple.test/a).'],
    ['link', '|', '[](|)'],
    ['heading', 'Ton|', '## Ton|'],
    ['heading', '## Ton|', 'Ton|'],
    ['heading', '### Ton|', 'Ton|'],
    ['bullets', '⟦un\ndeux⟧', '⟦- un\n- deux⟧'],
    ['bullets', '⟦- un\n- deux⟧', '⟦un\ndeux⟧'],
    ['bullets', '⟦- un\ndeux⟧', '⟦- un\n- deux⟧'],
    ['numbers', '⟦- un\n\n- deux⟧', '⟦1. un\n\n2. deux⟧'],
    ['numbers', '  a|', '  1. a|'],
    ['bullets', '⟦- un\n\n- deux⟧', '⟦un\n\ndeux⟧'],
    ['quote', '⟦- un\n- deux⟧', '⟦> - un\n> - deux⟧'],
    ['quote', '⟦> un\n\n> deux⟧', '⟦un\n\ndeux⟧'],
    ['bullets', 'avant\n|', 'avant\n- |'],
  ])('%s: %j becomes %j', (shortcut, before, after) => {
    expect(shown(field(before), editFor(shortcut, field(before)))).toBe(after);
  });
});

describe('« Entrée » in a list', () => {
  it.each([
    ['- un|', '- un\n- |'],
    ['- un| deux', '- un\n- | deux'],
    ['  * un|', '  * un\n  * |'],
    ['9. un|', '9. un\n10. |'],
    ['1) un|', '1) un\n2) |'],
    ['- [x] fait|', '- [x] fait\n- [ ] |'],
    ['> dit|', '> dit\n> |'],
    ['- un\n- |', '- un\n|'],
    ['1. un\n2. |\nsuite', '1. un\n|\nsuite'],
    ['un|', 'ordinary'],
    ['|- un', 'ordinary'],
    ['-|un', 'ordinary'],
    ['- ⟦un⟧', '- \n- |'],
  ])('%j becomes %j', (before, after) => {
    expect(shown(field(before), editForEnter(field(before)))).toBe(after);
  });
});
