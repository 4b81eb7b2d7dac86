import { describe, expect, it } from 'vitest';
import { parseHtmlFile } from '#lib/brain/imports/documents/html-file.ts';
import { read } from './read-documents.ts';

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
