import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { unpack } from '#lib/brain/imports/documents/unpack.ts';
import { ID, read } from './read-documents.ts';

describe('a Notion export', () => {
  const pages = {
    [`Marque ${ID(1)}.md`]: `# Marque\n\n[Charte](Marque/Charte%20${ID(2)}.md)\n\n[Clients](Marque/Clients%20${ID(3)}.csv)\n`,
    [`Marque/Charte ${ID(2)}.md`]: `# Charte\n\n[Ton](Charte/Ton%20(2025)%20${ID(4)}.md)\n`,
    [`Marque/Charte/Ton (2025) ${ID(4)}.md`]:
      '# Ton (2025)\n\nStatut: Validé\n\n<aside>\n💡 Voir [la charte](../Charte%20abc.md) et [le site](https://exemple.fr).\n</aside>\n\n![logo](Ton/logo.png)\n',
    [`Marque/Clients ${ID(3)}.csv`]: '\ufeffName,Ville,Vide\nAnne,"Paris, 11e",\n',
    [`Marque/Clients ${ID(3)}_all.csv`]: '\ufeffName,Ville,Vide\nAnne,"Paris, 11e",\nBo,Lyon,\n',
    [`Marque/Clients/Anne ${ID(5)}.md`]: '# Anne\n\nVille: Paris, 11e\n\nCliente depuis 2019.\n',
  };
  const expected = [
    ['Ton (2025)', 'GUIDELINES', null],
    ['Clients', 'KNOWLEDGE', null],
    ['Anne', 'KNOWLEDGE', 'Marque/Clients.csv'],
  ];

  it('lands without identifiers, nested, a database once with its pages under it, and no page that only lists others', async () => {
    const inside = zipSync(Object.fromEntries(Object.entries(pages).map(([k, v]) => [k, strToU8(v)])));
    const part = 'Export-0f0e0d0c-1111-2222-3333-444455556666-Part-1.zip';
    for (const files of [{ 'notion.zip': inside }, { 'notion.zip': zipSync({ [part]: inside }) }]) {
      const { drafts, refused } = await read(files);
      expect(refused).toEqual([
        {
          path: 'Marque/Clients.csv',
          reason: 'Colonnes sans valeur laissées de côté\u00a0: «\u00a0Vide\u00a0».',
        },
      ]);
      expect(drafts.map(({ title, pillar, parentKey }) => [title, pillar, parentKey])).toEqual(expected);
      expect(drafts[0]?.body).toBe('Statut: Validé\n\n💡 Voir la charte et [le site](https://exemple.fr).');
      expect(drafts[1]?.body).toBe('| Name | Ville |\n| --- | --- |\n| Anne | Paris, 11e |\n| Bo | Lyon |');
    }
  });

  it('is read with its pictures and films beside it, however heavy: none is inflated, each is named', async () => {
    const page = strToU8('# Charte\n\nDu texte.');
    const film = new Uint8Array(17 * 1024 * 1024);
    const inside = zipSync({ [`Charte ${ID(1)}.md`]: page, 'Charte/film.mp4': film }, { level: 0 });
    const part = 'ExportBlock-0f0e0d0c-1111-2222-3333-444455556666-Part-1.zip';
    for (const zip of [inside, zipSync({ [part]: inside }, { level: 0 })]) {
      const { drafts, refused } = await read({ 'notion.zip': zip });
      expect(drafts.map(({ title, body }) => [title, body])).toEqual([['Charte', 'Du texte.']]);
      expect(refused).toEqual([
        { path: 'Charte/film.mp4', reason: 'Ce type de fichier n’est pas pris en charge.' },
      ]);
    }
    // The limit of a text also applies inside a part.
    const heavy = zipSync({ [part]: zipSync({ 'long.md': film }) }, { level: 0 });
    expect((await read({ 'notion.zip': heavy })).refused).toEqual([
      {
        path: 'long.md',
        reason:
          'Ce fichier dépasse 16\u00a0Mo une fois décompressé\u00a0: divisez-le, puis importez-le à part.',
      },
    ]);
  });

  describe('in several parts', () => {
    const partOf = (n: number) => `ExportBlock-0f0e0d0c-1111-2222-3333-444455556666-Part-${n}.zip`;
    const text = (bytes: number) => Buffer.alloc(bytes, 'Du texte.\n');
    const mebibyte = 1024 * 1024;

    it('is read whole when its texts and its parts are each within the limit, though both together pass it', async () => {
      // Two parts of 24 MB each, of which 18 are pictures, and 42 MB of texts in and beside them: 90 MB in all.
      const picture = new Uint8Array(6 * mebibyte);
      const inside = (n: number) =>
        zipSync({
          [`Page ${ID(n)}.csv`]: [text(6 * mebibyte), { level: 0 }],
          ...Object.fromEntries([1, 2, 3].map((at) => [`${n}-${at}.png`, [picture, { level: 0 }] as const])),
        });
      const zip = zipSync({ [partOf(1)]: inside(1), [partOf(2)]: inside(2) }, { level: 0 });
      expect(zip.length).toBeLessThan(64 * mebibyte);
      const refused: { path: string; reason: string }[] = [];
      const found = await unpack(
        [
          { name: 'a.zip', bytes: zip },
          {
            name: 'b.zip',
            bytes: zipSync({ 'c.csv': text(15 * mebibyte), 'd.csv': text(15 * mebibyte) }, { level: 1 }),
          },
        ],
        {},
        refused,
      );
      expect(refused).toEqual([]);
      const texts = found.filter(({ name }) => name.endsWith('.csv'));
      expect(texts.map(({ bytes }) => bytes.length / mebibyte)).toEqual([6, 6, 15, 15]);
    });

    it('past either limit is refused with what to do, and what is within it comes', async () => {
      const texts = (n: number) =>
        zipSync(Object.fromEntries([1, 2, 3, 4].map((at) => [`${n}-${at}.csv`, text(9 * mebibyte)])), {
          level: 1,
        });
      const refused: { path: string; reason: string }[] = [];
      const zip = zipSync({ [partOf(1)]: texts(1), [partOf(2)]: texts(2) }, { level: 0 });
      const found = await unpack([{ name: 'a.zip', bytes: zip }], {}, refused);
      expect(found.map(({ name }) => name)).toEqual([1, 2, 3, 4].map((at) => `1-${at}.csv`));
      expect(refused).toEqual([
        { path: partOf(2), reason: expect.stringMatching(/64.Mo au plus .*importez cette archive à part/) },
      ]);
      refused.length = 0;
      const wide = new Uint8Array(40 * mebibyte);
      const bomb = zipSync({ [partOf(1)]: wide, [partOf(2)]: wide, 'Page.md': text(20) }, { level: 1 });
      const left = await unpack([{ name: 'b.zip', bytes: bomb }], {}, refused);
      expect(left.map(({ name }) => name)).toEqual(['Page.md']);
      expect(refused).toEqual([
        { path: 'b.zip', reason: expect.stringMatching(/64.Mo au plus, .*l’une après l’autre/) },
      ]);
    });
  });

  it('with one text that is too heavy gives the others', async () => {
    const heavy = new Uint8Array(17 * 1024 * 1024);
    const zip = zipSync({ 'a.md': strToU8('# A\n\nDu texte.'), 'b.csv': heavy });
    const { drafts, refused } = await read({ 'notion.zip': zip });
    expect(drafts.map(({ title }) => title)).toEqual(['A']);
    expect(refused.map(({ path }) => path)).toEqual(['b.csv']);
  });

  it('keeps a file attached to a page beside the page of its name', async () => {
    const { drafts, refused } = await read({
      [`Page ${ID(1)}.md`]: '# Page\n\nTous.',
      [`Page/notes ${ID(2)}.md`]: '# notes\n\nPage écrite.',
      'Page/notes.md': 'Fichier joint.',
    });
    expect(refused).toEqual([]);
    expect(new Map(drafts.map(({ body, key }) => [body, key]))).toEqual(
      new Map([
        ['Tous.', 'Page.md'],
        ['Page écrite.', 'Page/notes.md'],
        ['Fichier joint.', 'Page/notes (2).md'],
      ]),
    );
  });

  it('keeps both of two pages of one name, and the title of a page without one', async () => {
    const { drafts } = await read({
      [`Note ${ID(1)}.md`]: '# Note\n\nA',
      [`Note ${ID(2)}.md`]: '# Note\n\nB',
      [`${ID(3)}.md`]: 'C',
    });
    expect(drafts.map(({ title, body }) => [title, body])).toEqual([
      ['Note', 'B'],
      ['Note', 'A'],
      ['Sans titre', 'C'],
    ]);
  });

  it('puts what stands under each of two pages of one name under its own page, and both under the page above', async () => {
    const folder = `Dossier ${ID(9)}`;
    const { drafts, refused } = await read({
      [`${folder}.md`]: '# Dossier\n\nTous.',
      [`${folder}/Note ${ID(1)}.md`]: '# Note\n\nA',
      [`${folder}/Note ${ID(1)}/Suite ${ID(3)}.md`]: '# Suite\n\nde A',
      [`${folder}/Note ${ID(2)}.md`]: '# Note\n\nB',
      [`${folder}/Note ${ID(2)}/Fin ${ID(4)}.md`]: '# Fin\n\nde B',
    });
    expect(refused).toEqual([]);
    expect(new Map(drafts.map(({ body, parentKey }) => [body, parentKey]))).toEqual(
      new Map([
        ['Tous.', null],
        ['A', 'Dossier.md'],
        ['de A', 'Dossier/Note.md'],
        ['B', 'Dossier.md'],
        ['de B', `Dossier/Note ${ID(2)}.md`],
      ]),
    );
  });
});
