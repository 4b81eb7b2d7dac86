import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '#lib/brain/imports/documents/csv.ts';
import { parseDocx } from '#lib/brain/imports/documents/docx.ts';
import { parseHtmlFile } from '#lib/brain/imports/documents/html-file.ts';
import { unpack } from '#lib/brain/imports/documents/unpack.ts';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';
import { makeDocx, paragraph } from '#tests/factories/files/docx.ts';

const read = (files: Record<string, string | Uint8Array>) =>
  readUpload(
    Object.entries(files).map(([name, content]) => ({
      name,
      bytes: typeof content === 'string' ? strToU8(content) : content,
    })),
    { pillar: 'KNOWLEDGE' },
  );

const asZip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

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

describe('what Google Docs exports', () => {
  it('as a web page keeps its title, marks by class, lists side by side as nested, links without their redirection, and no comment', () => {
    const html = `<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">.lst-kix_a-1>li:before{content:"o"}.c2{font-weight:700}.c3{font-style:italic;color:#000}.c4{font-weight:400}</style></head><body class="c9 doc-content"><p class="c1 title" id="h.1"><span class="c4">Charte</span></p><h1 class="c1"><span class="c2">Ton</span></h1><p class="c1"><span class="c4">Nous </span><span class="c2">vouvoyons</span><span class="c3"> toujours</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup></p><ul class="c5 lst-kix_a-0 start"><li class="c6"><span>Un</span></li></ul><ul class="c5 lst-kix_a-1 start"><li><span>Dedans</span></li></ul><ul class="c5 lst-kix_a-0"><li><span>Deux</span></li></ul><p><span><a class="c7" href="https://www.google.com/url?q=https://exemple.fr/a%26b&amp;sa=D&amp;source=editors&amp;ust=1">le site</a></span></p><div class="c8"><p><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>à revoir</span></p></div></body></html>`;
    expect(parseHtmlFile(html)).toEqual({
      ok: true,
      title: 'Charte',
      text: '# Ton\n\nNous **vouvoyons** *toujours*\n\n- Un\n  - Dedans\n- Deux\n\n[le site](https://exemple.fr/a&b)',
    });
  });

  it('as Markdown loses the pictures that it carries as text, and nothing else', async () => {
    const markdown =
      '# **La maison**\n\nAvant ![][image1] après ![][logo]\n\n[image1]: <data:image/png;base64,iVBORw0KGgo=>\n';
    const { drafts } = await read({ 'maison.md': markdown });
    expect(drafts.map(({ title, body }) => [title, body])).toEqual([['La maison', 'Avant  après ![][logo]']]);
  });

  it('reads a table in a table once, and what stands in a frame of one cell as if it stood alone', () => {
    const text = (html: string) => {
      const read = parseHtmlFile(html);
      return read.ok ? read.text : read.reason;
    };
    const prices =
      '<table><tr><td>Produit</td><td>Prix</td></tr><tr><td>Bougie</td><td>24 €</td></tr></table>';
    const written = '| Produit | Prix |\n| --- | --- |\n| Bougie | 24 € |';
    expect(text(`<table><tbody><tr><td><h2>Tarifs</h2>${prices}</td></tr></tbody></table>`)).toBe(
      `## Tarifs\n\n${written}`,
    );
    const inner = '<table><tr><td>Bonjour</td><td>Bo</td></tr></table>';
    expect(text(`<table><tr><td>Menu</td><td>${inner}</td></tr></table>`)).toBe(
      '| Menu | Bonjour Bo |\n| --- | --- |',
    );
  });
});

describe('an HTML file', () => {
  const text = (html: string) => {
    const parsed = parseHtmlFile(html);
    return parsed.ok ? parsed.text : parsed.reason;
  };

  it('keeps the caption of a table, and each value in its own column, however cells are merged', () => {
    const head =
      '<tr><th rowspan="2">Modèle</th><th colspan="2">Prix</th></tr><tr><th>HT</th><th>TTC</th></tr>';
    const rows = '<tr><td>A</td><td>10</td><td>12</td></tr><tr><form><td>B</td><td>20</td></form></tr>';
    expect(text(`<table><caption>Tarifs <b>2026</b></caption>${head}${rows}</table>`)).toBe(
      'Tarifs **2026**\n\n| Modèle | Prix |  |\n| --- | --- | --- |\n|  | HT | TTC |\n| A | 10 | 12 |\n| B | 20 |',
    );
    expect(text('<table><caption>Note</caption><tr><td><p>Un.</p><p>Deux.</p></td></tr></table>')).toBe(
      'Note\n\nUn.\n\nDeux.',
    );
  });

  it('keeps its text wherever it stands: before, between, in and after its head and its body', () => {
    const head = '<head><title>T</title></head>';
    const pages = {
      script: `<html><script>a()</script>${head}<body><p>Texte.</p></body></html>`,
      between: `<html>${head}<noscript>b</noscript><body><p>Texte.</p></body></html>`,
      around: `Avant.<html><!-- c -->${head}<header>Titre.</header><body>Texte.</body><footer>Pied.</footer></html>Après.`,
      inHead: '<html><head><title>T</title><p>Texte.<style>p{}</style></html>',
      none: '<title>T</title><p>Texte.',
      several: `<html>${head}<body>Un.</body><body>Deux.</body></html><html>${head}<body>Trois.</body></html>`,
      inside: `<div>De\u00a0: Anne<html>${head}<body><p>Texte.</p><ul><li>Un</li></ul></body></html></div>`,
    };
    expect(Object.fromEntries(Object.entries(pages).map(([name, html]) => [name, text(html)]))).toEqual({
      script: 'Texte.',
      between: 'Texte.',
      around: 'Avant.\n\nTitre.\n\nTexte.\n\nPied.\n\nAprès.',
      inHead: 'Texte.',
      none: 'Texte.',
      several: 'Un.\n\nDeux.\n\nTrois.',
      inside: 'De\u00a0: Anne\n\nTexte.\n\n- Un',
    });
    for (const html of Object.values(pages)) expect(parseHtmlFile(html)).toMatchObject({ title: 'T' });
  });

  it('keeps a page over which a window stood open as it was saved, and no decoration', () => {
    const icon = '<i aria-hidden="true">flèche</i>';
    const banner = '<div role="dialog"><p>Nous utilisons des cookies.</p></div>';
    const app = `<div id="app" aria-hidden="true"><h1>La maison</h1><p>Depuis 1998, des lampes. ${icon}</p></div>`;
    expect(text(`<body>${app}${banner}</body>`)).toBe(
      '# La maison\n\nDepuis 1998, des lampes.\n\nNous utilisons des cookies.',
    );
    expect(text(`<p>Voir ${icon} ici.</p>`)).toBe('Voir ici.');
  });

  it('keeps captions, legends, headers, asides and footers, and no menu', () => {
    expect(
      text(
        '<nav>Menu</nav><header><h1>Charte</h1><p>Préambule.</p></header><figure><img alt="Une lampe"><figcaption>Rive, 2026.</figcaption></figure><aside>Note.</aside><form><fieldset><legend>Contact</legend>Écrivez-nous.</fieldset></form><footer>Mentions.</footer>',
      ),
    ).toBe(
      '# Charte\n\nPréambule.\n\nUne lampe\n\nRive, 2026.\n\nNote.\n\nContact\n\nÉcrivez-nous.\n\nMentions.',
    );
  });

  it('keeps a heading that is a button, as in a list of questions, and no other button', () => {
    const question = '<h3><button aria-expanded="true">Quelle garantie ?</button></h3><p>Cinq ans.</p>';
    expect(text(`${question}<p><button>Envoyer</button></p>`)).toBe('### Quelle garantie ?\n\nCinq ans.');
  });

  it('joins no two words or numbers, and keeps lines of code and the numbers of a list', () => {
    expect(
      text('<p>Voir<img alt="logo">ici, 10<sup>3</sup> bougies, H<sub>2</sub>O, le 1<sup>er</sup> mai.</p>'),
    ).toBe('Voir logo ici, 10³ bougies, H₂O, le 1er mai.');
    expect(
      text('<p><b>T</b><b>arifs</b> <i>d</i><i>’or</i> <b><i>ét</i></b><span><b><i>é</i></b></span></p>'),
    ).toBe('**Tarifs** *d’or* ***été***');
    expect(text('<p><i>A</i><sup><i>n</i></sup> <kbd>Ctrl</kbd><kbd>C</kbd></p>')).toBe('*A**n* `Ctrl``C`');
    expect(text('<p><b>x</b><i>y</i><b>z</b></p>')).toBe('**x***y***z**');
    expect(text('<my-card>Un</my-card><my-card>Deux</my-card>')).toBe('Un Deux');
    expect(text('<pre>a<br>b<div>c</div><div>d</div></pre>')).toBe('```\na\nb\nc\nd\n```');
    expect(text('<pre>```</pre>')).toBe('````\n```\n````');
    expect(text('<ol start="3"><li>Trois</li><li>Quatre</li></ol>')).toBe('3. Trois\n4. Quatre');
  });
});

const ID = (n: number) => String(n).repeat(32).slice(0, 32);

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
      ...{ 'prix.xlsx': 'PK', 'stocks.ods': 'PK', 'offre.PPTX': 'PK' },
      ...{ 'site.webarchive': 'bplist', 'page.mhtml': 'From', 'brief.msg': 'x' },
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

describe('a text of another time', () => {
  const encoded = (text: string, bytes: Record<string, number>) =>
    Uint8Array.from([...text].map((character) => bytes[character] ?? character.charCodeAt(0)));
  const windows = (text: string) => encoded(text, { '€': 0x80, '’': 0x92 });
  const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  it('is read in Windows-1252, as Excel and older programs save it, and in UTF-16', async () => {
    const page = '<html><head><meta charset="iso-8859-1"></head><body><p>Déjà vu.</p></body></html>';
    const { drafts, refused } = await read({
      'prix.csv': windows('Modèle;Prix\r\nL’été;24 €'),
      'page.html': windows(page),
      'ton.md': windows('# Ton\n\nDéjà vu.'),
      'wide.txt': wide('Déjà vu.'),
      'swapped.txt': wide('Déjà vu.').swap16(),
    });
    expect(refused).toEqual([]);
    expect(new Map(drafts.map(({ key, body }) => [key, body]))).toEqual(
      new Map([
        ['prix.csv', '| Modèle | Prix |\n| --- | --- |\n| L’été | 24 € |'],
        ['page.html', 'Déjà vu.'],
        ['ton.md', 'Déjà vu.'],
        ['wide.txt', 'Déjà vu.'],
        ['swapped.txt', 'Déjà vu.'],
      ]),
    );
  });

  it('is read as a Mac or DOS saved it, and in UTF-16 that does not say so', async () => {
    const text = 'Modèle;Prix\nÉté à Nîmes;24\nL’écrin;déjà vu, peut-être';
    const mac = encoded(text, { É: 0x83, à: 0x88, è: 0x8f, é: 0x8e, ê: 0x90, î: 0x94, '’': 0xd5 });
    const dosText = text.replace('’', "'");
    const dos = encoded(dosText, { É: 0x90, à: 0x85, è: 0x8a, é: 0x82, ê: 0x88, î: 0x8c });
    const { drafts, refused } = await read({
      'mac.csv': mac,
      'mac.txt': mac.map((byte) => (byte === 0x0a ? 0x0d : byte)),
      'dos.txt': dos,
      'wide.txt': Buffer.from(text, 'utf16le'),
      'swapped.txt': Buffer.from(text, 'utf16le').swap16(),
      'page.html': Buffer.from(`<meta charset="utf-16"><p>${text}</p>`, 'utf16le'),
    });
    expect(refused).toEqual([]);
    const table = '| Modèle | Prix |\n| --- | --- |\n| Été à Nîmes | 24 |\n| L’écrin | déjà vu, peut-être |';
    expect(Object.fromEntries(drafts.map(({ key, body }) => [key, body]))).toEqual({
      'mac.csv': table,
      'mac.txt': text,
      'dos.txt': dosText,
      'wide.txt': text,
      'swapped.txt': text,
      'page.html': text.replaceAll('\n', ' '),
    });
  });

  it('in Windows-1252 stays so, whatever of its signs are letters on a Mac or in DOS', async () => {
    const text = 'Žižek dit : « l’œuvre… » — 5‰, SOCIÉTÉ GÉNÉRALE, NÕES; à l’été, “cœur”ˆ';
    const bytes = encoded(text, {
      ...{ Ž: 0x8e, ž: 0x9e, '’': 0x92, œ: 0x9c, '…': 0x85, '—': 0x97, '‰': 0x89, '“': 0x93, '”': 0x94 },
      ˆ: 0x88,
    });
    const { drafts } = await read({ 'texte.txt': bytes });
    expect(drafts.map(({ body }) => body)).toEqual([text]);
  });

  it('is refused when it is damaged UTF-8, or bytes that no text has', async () => {
    const { drafts, refused } = await read({
      'damaged.md': Uint8Array.from([...strToU8('Une idée, déjà, bien longue.'), 0xc3]),
      'table.csv': Uint8Array.from([...windows('Modèle;Prix'), 0x01]),
      'odd.txt': Uint8Array.from([0xff, 0xfe, 0x41]),
    });
    expect(drafts).toEqual([]);
    const reason =
      'Le texte de ce fichier n’a pas pu être lu\u00a0: il est abîmé, ou dans un codage qui n’est pas reconnu. Enregistrez-le en UTF-8, puis importez-le de nouveau.';
    expect(refused.map(({ path }) => path).sort()).toEqual(['damaged.md', 'odd.txt', 'table.csv']);
    expect(refused.every((one) => one.reason === reason)).toBe(true);
  });

  it('is refused as an export of ours when it is not UTF-8: it is to be imported as it was exported', async () => {
    const { refused } = await read({ 'espace.json': windows('{"name": "Été"}') });
    expect(refused).toEqual([
      {
        path: 'espace.json',
        reason:
          'Ce fichier n’est pas en UTF-8\u00a0: importez-le tel qu’il a été exporté, ou enregistrez-le en UTF-8.',
      },
    ]);
  });
});

describe('what cannot be kept', () => {
  const exported = (fields: string) => `---\natelier: 1\ntitle: T\nsource: API\n${fields}\n---\nTexte.`;

  it('is refused alone, wherever it stands: an identifier or a type with a NUL, a path longer than an index takes', async () => {
    const long = `${'é'.repeat(1_300)}.md`;
    const { drafts, refused } = await read({
      'bon.md': exported('id: mem_1'),
      'identifiant.md': exported('id: "a\\0b"'),
      'type.md': exported('id: mem_2\nfile: { name: n, contentType: "a\\0b", bytes: 1 }'),
      [long]: 'Texte.',
    });
    expect(drafts.map(({ id }) => id)).toEqual(['mem_1']);
    expect(new Map(refused.map(({ path, reason }) => [path, reason]))).toEqual(
      new Map([
        ['identifiant.md', 'Ce texte contient des caractères qui ne peuvent pas être gardés.'],
        ['type.md', 'Ce texte contient des caractères qui ne peuvent pas être gardés.'],
        [long, 'Le chemin ou l’identifiant de ce texte est trop long.'],
      ]),
    );
  });
});
