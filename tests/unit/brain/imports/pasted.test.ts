import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { markdownOfPasted } from '#lib/brain/imports/parse/pasted.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

const paste = (html: string) => {
  const page = /<body/.test(html) ? html : `<html><body>${html}</body></html>`;
  return markdownOfPasted(parseHTML(page).document as unknown as Document);
};
const clipboard = (name: string) =>
  paste(readFileSync(path.join(repositoryRoot, 'tests/fixtures/clipboard', name), 'utf8'));

const LISTS = '- Lin lavé\n  - Tissé à Lille\n- Laiton\n\n## Étapes\n\n1. Couper\n2. Coudre';

describe('what is pasted', () => {
  it('from Word keeps its title, headings, nested lists, emphasis and links, without the marks that it draws', () => {
    expect(clipboard('word.txt')).toBe(
      `# Maison Rive\n\n## Notre promesse\n\nÉclairer **juste**, sans éblouir, *chaque* soir\u00a0: voir [la charte](https://exemple.fr/charte).\n\n${LISTS}`,
    );
  });

  it('from Google Docs keeps headings, nested lists, emphasis said by style, and links without their detour', () => {
    expect(clipboard('google-docs.txt')).toBe(
      `## Notre promesse\n\nÉclairer **juste**, sans éblouir, *chaque* soir : voir [la charte](https://exemple.fr/charte).\n\n${LISTS}`,
    );
  });

  it('from a code editor, or without structure, stays its plain text', () => {
    expect(paste('<div style="font-family: monospace; white-space: pre;"><b># Titre</b></div>')).toBeNull();
    expect(paste('<p>Une phrase.</p>')).toBeNull();
  });

  it('never carries a script nor an address that runs one', () => {
    expect(paste('<h2>Ton<script>alert(1)</script></h2><p><a href="javascript:alert(1)">ici</a></p>')).toBe(
      '## Ton\n\nici',
    );
  });

  it('keeps two lists of Word apart when a paragraph stands between them', () => {
    const item = (text: string) =>
      `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>${text}</p>`;
    expect(paste(`${item('Un')}<p class=MsoNormal>Entre</p>${item('Deux')}`)).toBe('- Un\n\nEntre\n\n- Deux');
  });
});
