import { describe, expect, it } from 'vitest';
import { parseCsv } from '#lib/brain/imports/documents/csv.ts';
import { asZip, read } from './read-documents.ts';

describe('a table', () => {
  it('is read with its quotes, its separator and its line ends, and refused when it is a data set', () => {
    const table = parseCsv('a;b\r\n"x ""y"";\nz";2\r\n\r\n;3;\r\n');
    expect(table).toEqual({ ok: true, text: '| a | b |\n| --- | --- |\n| x "y"; z | 2 |\n|  | 3 |' });
    expect(parseCsv('\ufeff')).toMatchObject({ ok: false });
    expect(parseCsv(`a${','.repeat(200)}`)).toEqual({ ok: true, text: 'a' });
    expect(parseCsv('a,'.repeat(200))).toMatchObject({ ok: false });
    expect(parseCsv('a\n'.repeat(20_002))).toEqual({
      ok: false,
      reason: 'Ce tableau dépasse 20\u202f000 lignes.',
    });
  });

  it('tells the names of its columns without values, which are left out', () => {
    const names = Array.from({ length: 12 }, (_, i) => `Vide ${i}`);
    expect(parseCsv('Nom,Reste,\nAnne,,\n')).toEqual({
      ok: true,
      text: '| Nom |\n| --- |\n| Anne |',
      leftOut: ['Colonnes sans valeur laissées de côté\u00a0: «\u00a0Reste\u00a0».'],
    });
    expect(parseCsv(`Nom,${names.join(',')}\nAnne`)).toMatchObject({
      leftOut: [expect.stringMatching(/«\u00a0Vide 9\u00a0» et 2 autres\.$/)],
    });
  });

  it('is read by the separator that it says, outside of quotes, and with the line ends of old Macs', () => {
    const text = '| Nom, prénom | Ville |\n| --- | --- |\n| Anne | Lyon |';
    for (const csv of [
      'sep=;\r\nNom, prénom;Ville\r\nAnne;Lyon\r\n',
      '"Nom, prénom";Ville\nAnne;Lyon',
      '"Nom, prénom";Ville\rAnne;Lyon\r',
      'Nom, prénom|Ville\nAnne|Lyon',
    ])
      expect(parseCsv(csv)).toEqual({ ok: true, text });
  });

  it('is read by its separator under a title, names of columns on two lines, or numbers with commas and no names', () => {
    const text = (csv: string) => {
      const parsed = parseCsv(csv);
      return parsed.ok ? parsed.text : parsed.reason;
    };
    expect(text('"Nom\ncomplet";Prix\r\nAnne;1,50\r\n')).toBe(
      '| Nom complet | Prix |\n| --- | --- |\n| Anne | 1,50 |',
    );
    expect(text('Solde au 12/03, en euros\r\n\r\nDate;Débit\r\n12/03;12,50\r\n')).toBe(
      '| Solde au 12/03, en euros |  |\n| --- | --- |\n| Date | Débit |\n| 12/03 | 12,50 |',
    );
    expect(text('A;1,50;2,30\nB;2,50;3,10')).toBe(
      '| A | 1,50 | 2,30 |\n| --- | --- | --- |\n| B | 2,50 | 3,10 |',
    );
    expect(text('Ville,Horaires\nLyon,9 h ; 14 h\nParis,10 h')).toBe(
      '| Ville | Horaires |\n| --- | --- |\n| Lyon | 9 h ; 14 h |\n| Paris | 10 h |',
    );
  });

  it('is read by the sign that its lines hold as often, where as many of them hold several', () => {
    expect(parseCsv('Produit,Tailles (S;M),Prix\nPull,S;M;L,30\nJupe,S;M;L;XL,40')).toEqual({
      ok: true,
      text: '| Produit | Tailles (S;M) | Prix |\n| --- | --- | --- |\n| Pull | S;M;L | 30 |\n| Jupe | S;M;L;XL | 40 |',
    });
    expect(parseCsv('Nom, couleur;Prix\nPull, rouge;30,50\nJupe, bleue, longue;40')).toEqual({
      ok: true,
      text: '| Nom, couleur | Prix |\n| --- | --- |\n| Pull, rouge | 30,50 |\n| Jupe, bleue, longue | 40 |',
    });
  });

  it('of a workbook, a presentation, a page or a message whole, are refused with how to save them', async () => {
    const { refused } = await read({
      'prix.xlsx': 'PK',
      'stocks.ods': 'PK',
      'offre.PPTX': 'PK',
      'site.webarchive': 'bplist',
      'page.mhtml': 'From',
      'brief.msg': 'x',
    });
    expect(new Map(refused.map(({ path, reason }) => [path, reason]))).toEqual(
      new Map([
        ['prix.xlsx', 'Enregistrez chaque feuille de ce classeur au format CSV, puis importez-les.'],
        ['stocks.ods', 'Enregistrez chaque feuille de ce classeur au format CSV, puis importez-les.'],
        ['offre.PPTX', 'Enregistrez cette présentation au format PDF, puis importez-la.'],
        ['site.webarchive', 'Enregistrez cette page au format HTML ou PDF, puis importez-la.'],
        ['page.mhtml', 'Enregistrez cette page au format HTML ou PDF, puis importez-la.'],
        ['brief.msg', 'Enregistrez ce message au format PDF ou texte, puis importez-le.'],
      ]),
    );
  });

  it('that Google Sheets saves with tabs is read under its name; archives but a zip, and those in one, are refused with what to do', async () => {
    const { drafts, refused } = await read({
      'Nos prix.tsv': 'Modèle\tPrix\r\nRive, laiton\t24\r\n',
      'tout.zip': asZip({ 'dedans.zip': 'PK', 'prix.tsv': 'a\tb' }),
      'photos.rar': 'Rar!',
    });
    expect(drafts.map(({ title, body, file }) => [title, body, file?.contentType])).toEqual([
      ['Nos prix', '| Modèle | Prix |\n| --- | --- |\n| Rive, laiton | 24 |', 'text/tab-separated-values'],
      ['prix', '| a | b |\n| --- | --- |', 'text/tab-separated-values'],
    ]);
    const reason = 'Décompressez cette archive, puis importez ce qu’elle contient.';
    expect(refused).toEqual(['photos.rar', 'dedans.zip'].map((path) => ({ path, reason })));
  });

  it('is read whatever empty rows its spreadsheet writes after it, and counted without them', () => {
    expect(parseCsv(`Nom;Prix\r\nBougie;24\r\n${';\r\n'.repeat(65_000)}`)).toEqual({
      ok: true,
      text: '| Nom | Prix |\n| --- | --- |\n| Bougie | 24 |',
    });
    expect(parseCsv('\n'.repeat(50_000))).toEqual({ ok: false, reason: 'Ce fichier est vide.' });
  });

  it('that is long names its columns again, so that no Memory of it is rows alone', async () => {
    const rows = Array.from({ length: 4_000 }, (_, i) => `Référence ${i};${'détail '.repeat(8)}`);
    const { drafts } = await read({ 'catalogue.csv': ['Article;Description', ...rows].join('\n') });
    expect(drafts.length).toBeGreaterThan(1);
    for (const { body } of drafts) expect(body.startsWith('| Article | Description |\n| --- |')).toBe(true);
    const said = drafts.map(({ body }) => body).join('\n');
    for (const i of [0, 1_999, 3_999]) expect(said).toContain(`| Référence ${i} | détail`);
  });
});
