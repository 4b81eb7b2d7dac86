import { describe, expect, it } from 'vitest';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';
import { asZip, ID, read } from './read-documents.ts';

describe('a folder of documents', () => {
  it('named after a pillar lands in it, Word files and PDFs too, whatever plain folder they came in', async () => {
    const docx = makeDocx(paragraph('Calme.'));
    const { drafts, refused } = await read({
      'Marque Lumen/Charte/ton.docx': docx,
      'Marque Lumen/Charte/Détails/mots.md': 'x',
      'Marque Lumen/Publics/table.csv': 'Nom;Âge\nAnne;34',
      'Marque Lumen/divers.txt': 'x',
    });
    expect(refused).toEqual([]);
    expect(drafts.map(({ key, pillar, parentKey }) => [key, pillar, parentKey])).toEqual([
      ['Marque Lumen/Charte/Détails/mots.md', 'GUIDELINES', null],
      ['Marque Lumen/Charte/ton.docx', 'GUIDELINES', null],
      ['Marque Lumen/divers.txt', 'KNOWLEDGE', null],
      ['Marque Lumen/Publics/table.csv', 'PEOPLE', null],
    ]);
  });

  it('passes over what programs hide in it, and no document whose name begins with a dot', async () => {
    const left = ['.obsidian/a.md', '__MACOSX/b.md', '._c.md', '~$charte.docx', '.md', '.DS_Store'];
    const files = { ...Object.fromEntries(left.map((name) => [name, 'x'])), '.NET.md': 'Texte.' };
    const both: Record<string, string | Uint8Array>[] = [files, { 'a.zip': asZip(files) }];
    for (const given of both) {
      const { drafts, refused } = await read(given);
      expect(refused).toEqual([]);
      expect(drafts.map(({ key, body }) => [key, body])).toEqual([['.NET.md', 'Texte.']]);
    }
  });

  it('loses no file to the names that programs give: a dot before each path, an index, a table beside its whole', async () => {
    const { drafts, refused } = await read({
      './notes/a.md': 'Un.',
      [`Page ${ID(1)}.md`]: '# Page\n\nDeux.',
      'site/index.html': '<p>Trois.</p>',
      'ventes.csv': 'Mois\nQuatre',
      'ventes_all.csv': 'Mois\nCinq',
    });
    expect(refused).toEqual([]);
    const said = drafts.map(({ body }) => body).join('\n');
    for (const word of ['Un.', 'Deux.', 'Trois.', 'Quatre', 'Cinq']) expect(said).toContain(word);
  });
});
