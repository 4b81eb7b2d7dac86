import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseDocx } from '#lib/brain/imports/documents/docx.ts';
import { parseHtmlFile } from '#lib/brain/imports/documents/html-file.ts';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';
import { read } from './read-documents.ts';

async function textOf(docx: Uint8Array): Promise<string> {
  const parsed = await parseDocx(docx);
  return parsed.ok ? parsed.text : parsed.reason;
}

const bullet = (level: number, list = 1) =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`;

describe('a Word document', () => {
  it('keeps a merged cell in the first of its columns, and those after it in their own', async () => {
    const cell = (words: string, columns = 1) =>
      `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr>${paragraph(words)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Tarifs', 2)}${cell('Note')}</w:tr><w:tr>${cell('a')}${cell('b')}${cell('c')}</w:tr></w:tbl>`;
    expect(await textOf(makeDocx(table))).toBe('| Tarifs |  | Note |\n| --- | --- | --- |\n| a | b | c |');
  });

  it('reads a table as it is, not as it was before a revision that is tracked', async () => {
    const was = '<w:tcPrChange w:id="1" w:author="A"><w:tcPr><w:gridSpan w:val="2"/></w:tcPr></w:tcPrChange>';
    const cell = (words: string, before = '') => `<w:tc><w:tcPr>${before}</w:tcPr>${paragraph(words)}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell('Tarifs', was)}${cell('Note')}</w:tr><w:tr>${cell('a')}${cell('b')}</w:tr></w:tbl>`;
    expect(await textOf(makeDocx(table))).toBe('| Tarifs | Note |\n| --- | --- |\n| a | b |');
  });

  it('keeps its title, headings of a French Word, nested and counted lists, bold, italics, links, tables and notes', async () => {
    const run = (words: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;
    const cell = (words: string) => `<w:tc>${paragraph(words)}</w:tc>`;
    const docx = makeDocx(
      [
        paragraph('Charte éditoriale', 'Titre'),
        paragraph('Sommaire ......... 3', 'TM1'),
        paragraph('Le ton', 'Titre1'),
        `<w:p>${run('Nous ')}${run('vou', '<w:b/>')}${run('voyons', '<w:b/>')}${run(', ')}${run('sans crier', '<w:i/>')}${run('.', '<w:b w:val="0"/>')}<w:r><w:footnoteReference w:id="1"/></w:r></w:p>`,
        `<w:p><w:hyperlink r:id="l1">${run('Le site', '<w:rStyle w:val="Lienhypertexte"/>')}</w:hyperlink>${run(' et ')}<w:hyperlink r:id="l2">${run('rien')}</w:hyperlink></w:p>`,
        paragraph('Un', 'Listepuces'),
        paragraph('Dedans', '', bullet(1)),
        paragraph('Deux', '', bullet(0)),
        paragraph('Premier', '', bullet(0, 2)),
        paragraph('Entre les deux'),
        paragraph('Second', '', bullet(0, 2)),
        `<w:tbl><w:tr>${cell('Mot')}${cell('À éviter')}</w:tr><w:tr>${cell('client')}${cell('usager | public')}</w:tr></w:tbl>`,
        `<w:p>${run('Gardé')}<w:del><w:r><w:delText>effacé</w:delText></w:r></w:del>${run('caché', '<w:vanish/>')}<mc:AlternateContent><mc:Choice Requires="wps">${run(' une fois')}</mc:Choice><mc:Fallback>${run(' deux fois')}</mc:Fallback></mc:AlternateContent></w:p>`,
      ].join(''),
      {
        links: { l1: 'https://exemple.fr/a', l2: 'javascript:alert(1)' },
        footnotes: `<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="1">${paragraph('Depuis 2019.')}</w:footnote>`,
        more: {
          'word/comments.xml': strToU8(`<w:comments>${paragraph('À revoir.')}</w:comments>`),
          'word/header1.xml': strToU8(`<w:hdr>${paragraph('Confidentiel')}</w:hdr>`),
        },
      },
    );
    expect(await parseDocx(docx)).toEqual({
      ok: true,
      title: 'Charte éditoriale',
      text: [
        '# Charte éditoriale',
        '## Le ton',
        'Nous **vouvoyons**, *sans crier*.[^1]',
        '[Le site](https://exemple.fr/a) et rien',
        '- Un\n  - Dedans\n- Deux\n1. Premier',
        'Entre les deux',
        '2. Second',
        '| Mot | À éviter |\n| --- | --- |\n| client | usager \\| public |',
        'Gardé une fois',
        '[^1]: Depuis 2019.',
      ].join('\n\n'),
    });
  });

  it('keeps formulas on one line, raised numbers, signs of a font, and rows that begin in a later column', async () => {
    const m = (name: string, inner: string) => `<m:${name}>${inner}</m:${name}>`;
    const said = (text: string) => m('r', `<w:rPr><w:i/></w:rPr>${m('t', text)}`);
    const half = m('f', m('num', said('a+b')) + m('den', said('2')));
    const square = m('sSup', m('e', said('c')) + m('sup', said('2')));
    const formula = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">${said('E=')}${half}${square}</m:oMath>`;
    const raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>3</w:t></w:r>';
    const cell = (words: string) => `<w:tc>${paragraph(words)}</w:tc>`;
    const later = `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('c')}</w:tr>`;
    const docx = makeDocx(
      [
        `<w:p>${formula}</w:p>`,
        `<w:p><w:r><w:t>10</w:t></w:r>${raised}</w:p>`,
        '<w:p><w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>oui</w:t><w:ptab/><w:t>non</w:t></w:r></w:p>',
        `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr>${later}</w:tbl>`,
      ].join(''),
    );
    expect(await textOf(docx)).toBe(
      'E=(a+b)/(2)c^2\n\n10³\n\n✓oui non\n\n| a | b |\n| --- | --- |\n|  | c |',
    );
  });

  it('says the words of a diagram as a list, and tells what could not be read', async () => {
    const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const dgm = 'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"';
    const point = (words: string) =>
      `<dgm:pt><dgm:t><a:p>${words === '' ? '' : `<a:r><a:t>${words}</a:t></a:r>`}</a:p></dgm:t></dgm:pt>`;
    const shown = `<w:p><w:r><w:drawing><dgm:relIds ${dgm} r:dm="d1"/></w:drawing></w:r></w:p>`;
    const around = paragraph('Avant') + shown + paragraph('Après');
    const withData = (data: string) =>
      makeDocx(around, {
        more: {
          'word/_rels/document.xml.rels': strToU8(
            `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="d1" Type="${office}/diagramData" Target="diagrams/data1.xml"/></Relationships>`,
          ),
          'word/diagrams/data1.xml': strToU8(data),
        },
      });
    const points = ['Écouter', '', 'Dessiner'].map(point).join('');
    const data = `<dgm:dataModel ${dgm} xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>${points}</dgm:ptLst></dgm:dataModel>`;
    expect(await parseDocx(withData(data))).toEqual({
      ok: true,
      title: null,
      text: 'Avant\n\n- Écouter\n- Dessiner\n\nAprès',
    });
    expect(await parseDocx(withData(data.slice(0, -30)))).toEqual({
      ok: true,
      title: null,
      text: 'Avant\n\nAprès',
      leftOut: ['Un schéma (SmartArt) n’a pas pu être lu.'],
    });
    const inserted = '<w:altChunk r:id="c1"/>';
    const reason = expect.stringMatching(/^Un document inséré dans celui-ci n’a pas été lu/);
    expect(await parseDocx(makeDocx(inserted))).toEqual({ ok: false, reason });
    const { drafts, refused } = await read({ 'note.docx': makeDocx(paragraph('Texte') + inserted) });
    expect(drafts.map(({ body }) => body)).toEqual(['Texte']);
    expect(refused).toEqual([{ path: 'note.docx', reason }]);
  });

  it('has a title without the address of its link, which stays in its text', async () => {
    const linked = '<w:hyperlink r:id="l1"><w:r><w:t>Charte</w:t></w:r></w:hyperlink>';
    const heading = `<w:p><w:pPr><w:pStyle w:val="Titre"/></w:pPr>${linked}</w:p>`;
    const links = { l1: 'https://exemple.fr/a' };
    const { drafts } = await read({ 'a.docx': makeDocx(heading + paragraph('Texte'), { links }) });
    expect(drafts.map(({ title, body }) => [title, body])).toEqual([
      ['Charte', '# [Charte](https://exemple.fr/a)\n\nTexte'],
    ]);
  });

  it('is titled by its only heading of level 1, else by its name, never by the first of several chapters', async () => {
    const chapters = makeDocx(paragraph('Ton', 'Titre1') + paragraph('x') + paragraph('Mots', 'Titre1'), {
      // Pictures are not decompressed, however large.
      more: { 'word/media/image1.png': new Uint8Array(60_000_000) },
    });
    const one = makeDocx(paragraph('La maison', 'Titre1') + paragraph('Depuis 1998.'));
    const { drafts } = await read({ 'Charte éditoriale - v2.docx': chapters, 'b.docx': one });
    expect(drafts.map(({ title, body }) => [title, body])).toEqual([
      ['La maison', 'Depuis 1998.'],
      ['Charte éditoriale - v2', '# Ton\n\nx\n\n# Mots'],
    ]);
    expect(drafts[0]?.file).toEqual({
      name: 'b.docx',
      contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      bytes: one.length,
    });
  });

  it('is refused in French when it is none, is damaged, is behind a password, declares entities, or says nothing', async () => {
    const good = makeDocx(paragraph('x'));
    const entries = unzipSync(good);
    const having = (xml: string) => zipSync({ ...entries, 'word/document.xml': strToU8(xml) });
    const laughs = `<!DOCTYPE w [<!ENTITY a "rire"><!ENTITY b "${'&a;'.repeat(1000)}">]><w>&b;</w>`;
    expect(await textOf(strToU8('bonjour'))).toBe('Ce fichier n’est pas un document Word.');
    expect(await textOf(zipSync({ 'a.txt': strToU8('x') }))).toBe('Ce fichier n’est pas un document Word.');
    expect(await textOf(good.slice(0, 900))).toMatch(/^Ce (document|fichier)/);
    expect(await textOf(having('<w:document><w:body>'))).toBe('Ce document Word est abîmé.');
    expect(await textOf(having(laughs))).toBe('Ce document Word est abîmé.');
    expect(await textOf(having('<a>'.repeat(100_000)))).toBe('Ce document Word est abîmé.');
    expect(await textOf(Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatch(/mot de passe/);
    expect(await textOf(makeDocx('<w:p/>'))).toBe('Ce document Word ne contient pas de texte.');
    const bomb = having(`<w:document>${' '.repeat(33 * 1024 * 1024)}</w:document>`);
    expect(bomb.length).toBeLessThan(200_000);
    expect(await textOf(bomb)).toBe('Ce document Word contient plus que la taille acceptée.');
    const { refused } = await read({ 'vieux.doc': 'x', 'autre.odt': 'x', 'photo.heic': 'x' });
    expect(refused.map(({ reason }) => reason)).toEqual([
      'Enregistrez ce document au format Word (.docx), puis importez-le de nouveau.',
      'Enregistrez ce document au format Word (.docx), puis importez-le de nouveau.',
      'Ce type de fichier n’est pas pris en charge.',
    ]);
  });

  it('keeps the spaces around what is marked, and is read at once however many stand in it', async () => {
    const run = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
    const bold = '<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve"> gras </w:t></w:r>';
    expect(await textOf(makeDocx(`<w:p>${run('un')}${bold}${run('mot')}</w:p>`))).toBe('un **gras** mot');
    const before = process.threadCpuUsage();
    expect(await textOf(makeDocx(`<w:p>${run(`a${' '.repeat(500_000)}b`)}</w:p>`))).toBe('a b');
    const { user, system } = process.threadCpuUsage(before);
    // It took minutes: the time grew with the square of the number of spaces.
    expect((user + system) / 1_000_000).toBeLessThan(10);
  });

  it('keeps the headings and lists of a text box, and what its paragraphs say of themselves to themselves', async () => {
    const marks = `${bullet(0)}<w:rPr><w:vanish/></w:rPr>`;
    const box = paragraph('Nos gammes', 'Titre1') + paragraph('Bougies', '', marks);
    const around = `<w:p><w:r><w:pict><w:txbxContent>${box}</w:txbxContent></w:pict><w:t>Suite</w:t></w:r></w:p>`;
    expect(await textOf(makeDocx(paragraph('Avant') + around))).toBe(
      'Avant\n\n# Nos gammes\n\n- Bougies\n\nSuite',
    );
  });

  it('keeps whole the words whose first letters are marked, as those of an acronym that is spelled out', async () => {
    const run = (words: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`;
    const bold = '<w:b/>';
    const spelled = `${run('R', bold)}${run('èglement ')}${run('G', bold)}${run('énéral, ')}${run('mot', bold)}${run(' sûr')}`;
    expect(await textOf(makeDocx(`<w:p>${spelled}</w:p>`))).toBe('Règlement Général, **mot** sûr');
    const html = '<p><b>R</b>èglement <span><i>G</i></span><span>énéral</span>, <b>mot</b> sûr</p>';
    expect(parseHtmlFile(html)).toMatchObject({ text: 'Règlement Général, **mot** sûr' });
  });

  it('cut anywhere, or changed in any byte, is read or refused, never thrown', async () => {
    const good = zipSync(
      { ...unzipSync(makeDocx(paragraph('Une phrase.', 'Titre1'))), 'word/media/image1.png': strToU8('x') },
      { level: 0 },
    );
    for (let at = 0; at < good.length; at += 37) {
      expect(typeof (await textOf(good.slice(0, at)))).toBe('string');
      const changed = Uint8Array.from(good);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      expect(typeof (await textOf(changed))).toBe('string');
    }
  });
});
