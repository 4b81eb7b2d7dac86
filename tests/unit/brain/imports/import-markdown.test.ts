import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMarkdownFile, parsePlainText } from '#lib/brain/imports/parse/markdown-file.ts';
import { parseMarkdownFolder } from '#lib/brain/imports/parse/markdown-folder.ts';
import { jsonBytes } from '#lib/brain/text/json-bytes.ts';
import { chunks } from '#lib/brain/text/split-markdown.ts';

const parse = (text: string, path = 'guide.md', maxBytes?: number) => {
  const parsed = parseMarkdownFile({ path, text, pillar: 'KNOWLEDGE', maxBytes });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.drafts;
};
const folder = (files: Record<string, string | Uint8Array>) =>
  parseMarkdownFolder(
    Object.entries(files).map(([path, content]) => ({
      path,
      bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    })),
    { pillar: 'KNOWLEDGE' },
  );

describe('a Markdown file', () => {
  it('takes its title from the front matter, else the first level-1 heading, else its name', () => {
    expect(parse('---\ntitle: Du bloc\n---\n# Du titre\nTexte')[0]).toMatchObject({
      title: 'Du bloc',
      body: '# Du titre\nTexte',
    });
    expect(parse('\n# Le **titre** [lié](https://x.y) #\n\nTexte\n')[0]).toMatchObject({
      title: 'Le titre lié',
      body: '# Le **titre** [lié](https://x.y) #\n\nTexte',
    });
    expect(parse('# Le [bas](#bas) et ![une image](a.png)\n\nTexte')[0]).toMatchObject({
      title: 'Le bas et une image',
      body: 'Texte',
    });
    expect(parse('Texte', 'a/02-prise_en-main.md')[0]).toMatchObject({
      title: 'Prise en main',
      body: 'Texte',
    });
    expect(
      parse(`#${' '.repeat(100_000)}a${' #'.repeat(50_000)}{/*${'{/*'.repeat(40_000)}\nx`)[0]?.title,
    ).toMatch(/^a/);
    expect(parse('## ##\n#\n# C# #\nx')[0]?.title).toBe('C#');
    expect(parse('```sh\n# pas un titre\n```')[0]?.title).toBe('Guide');
    expect(parse(`# ${'Long '.repeat(100)}\nx`)[0]?.title.length).toBeLessThanOrEqual(200);
  });

  it.each([
    ['2025 Tarifs.md', '2025 Tarifs'],
    ['2026-tarifs.md', '2026 tarifs'],
    ['2026-03-12 Réunion_marketing.md', '2026-03-12 Réunion marketing'],
    ['12-05-2026-reunion.md', '12-05-2026 reunion'],
    ['3 raisons.md', '3 raisons'],
    ['1. Introduction.md', 'Introduction'],
    ['1 - Introduction.md', 'Introduction'],
    ['0001-prise--en-main.md', 'Prise en main'],
  ])('named « %s » is titled « %s »: a number of order goes, a year or a date stays', (name, title) => {
    expect(parse('Texte', name)[0]?.title).toBe(title);
  });

  it('reads pillar, kind and dates, and refuses a pillar that does not exist', () => {
    const [draft] = parse('---\r\npillar: Charte\r\nkind: fact\r\ndate: 2026-01-31\r\n---\r\nTexte');
    expect(draft).toMatchObject({ pillar: 'GUIDELINES', kind: 'FACT', sourceRef: 'guide.md', id: null });
    expect(draft?.createdAt).toEqual(new Date('2026-01-31'));
    expect(parse('---\npillar: PEOPLE\n---\nTexte')[0]).toMatchObject({ pillar: 'PEOPLE', kind: 'PERSON' });
    expect(parse('Texte')[0]).toMatchObject({ pillar: 'KNOWLEDGE', kind: 'DOCUMENT' });
    expect(
      parseMarkdownFile({ path: 'a.md', text: '---\npillar: Cuisine\n---\nx', pillar: 'ITEMS' }),
    ).toEqual({ ok: false, reason: 'Le pilier « Cuisine » n’existe pas.' });
  });

  it('survives a front matter that is not YAML, and one that tries to forge an identity', () => {
    expect(parse('---\n: [oops\n---\nTexte')[0]).toMatchObject({ title: 'Guide' });
    expect(parse('---\ntags: [oops\n---\nTexte')[0]).toMatchObject({ title: 'Guide', body: 'Texte' });
    expect(parse('---\nid: mem_1\nsource: REPO\n---\nTexte')[0]).toMatchObject({ id: null, source: null });
  });

  it('keeps the title of its front matter as it was written, whatever YAML takes it for', () => {
    const titled = (line: string) => parse(`---\n${line}\nkind: fact\n---\n# Autre\n\nTexte`)[0]?.title;
    for (const title of '1.10 2024-01-02 007 0o14 0x1F 1e3 .5 yes true null 12:30'.split(' '))
      expect(titled(`title: ${title}`)).toBe(title);
    expect(titled('title: "1.10"')).toBe('1.10');
    expect(titled("title: 'L''été'")).toBe("L'été");
    expect(titled('title: >\n  Un titre\n  plié')).toBe('Un titre plié');
    expect(titled('title: Un\n  deux')).toBe('Un deux');
    expect(titled('title: [Brouillon] Charte')).toBe('[Brouillon] Charte');
    expect(titled('title: Recette #3')).toBe('Recette #3');
    expect(titled('title: Recette # à revoir')).toBe('Recette');
    expect(titled('title: Charte: le ton')).toBe('Charte: le ton');
    expect(titled('title: *Très* important')).toBe('*Très* important');
    for (const none of ['title:', 'title: ~', "title: ''"]) expect(titled(none)).toBe('Autre');
  });

  it('reads a block that YAML refuses line by line, and what it says in sentences is not lost', () => {
    const refused = '---\ntitle: Charte: le ton\npillar: Charte\ndate: 2026-01-31\ntags:\n- a\n---\nTexte';
    const [draft] = parse(refused);
    expect(draft).toMatchObject({ title: 'Charte: le ton', pillar: 'GUIDELINES', body: 'Texte' });
    expect(draft?.createdAt).toEqual(new Date('2026-01-31'));
    const described = '---\ntitle: T\ndescription: "Une lampe."\nlayout: post\n---\n# T\n\nTexte';
    expect(parse(described)[0]?.body).toBe('Une lampe.\n\nTexte');
    expect(parse('---\ntitle: T\nsummary: Texte\n---\nTexte entier')[0]?.body).toBe('Texte entier');
  });

  it('takes what stands between two rules for text when it is no front matter', () => {
    for (const block of [
      'Une phrase\u00a0: une autre.',
      '# Un titre',
      '- Un\n- Deux',
      'Une ligne.\nUne autre: la fin.',
      'title: X\n...\nTexte perdu',
      ': [oops',
    ])
      expect(parse(`---\n${block}\n---\nTexte`)[0]?.body).toBe(`---\n${block}\n---\nTexte`);
    expect(parse('---\n\n---\nTexte')[0]?.body).toBe('Texte');
  });

  it('is titled and divided by underlined headings too', () => {
    expect(parse('Le **titre**\r\n=====\r\n\r\nTexte')[0]).toMatchObject({
      title: 'Le titre',
      body: 'Texte',
    });
    expect(parse('Intro\n\nLe titre\n===\nTexte')[0]).toMatchObject({
      title: 'Le titre',
      body: 'Intro\n\nLe titre\n===\nTexte',
    });
    const under = `\n\n${'Une phrase. '.repeat(800)}\n\n`;
    const divided = parse(`Guide entier\n===\n\nIntro\n\nLe ton\n---${under}La voix\n------${under}`);
    expect(divided.map(({ title }) => title)).toEqual(['Guide entier', 'Le ton', 'La voix']);
    expect(divided[0]?.body).toBe('Intro');
    const long = `${'mot '.repeat(90)}fin`;
    const [, part] = parse(`Intro\n\n${long}\n---${under}Court\n---${under}`);
    expect(part?.body.startsWith(`${long}\n\n`)).toBe(true);
    expect(part?.body).not.toContain('---');
  });

  it('takes no rule, list, table, quotation, code, signature or paragraph for an underlined heading', () => {
    for (const text of [
      'Texte\n\n===',
      '===\n===',
      '- Un\n===',
      '- Un\nencore\n===',
      '1. Un\n===',
      '> Dit-elle\n===',
      '| A |\n===',
      '    code\n===',
      '```\nTexte\n===\n```',
      'Un paragraphe\nde deux lignes\n===',
      'Cordialement\n==',
      '# \nTexte\n\n***\n===',
    ])
      expect(parse(text)[0]?.title, text).toBe('Guide');
  });

  it('keeps the address of a link of a heading that becomes a title, whole or divided', () => {
    const under = `\n\n${'Une phrase. '.repeat(800)}\n\n`;
    const drafts = parse(
      `# [Guide](https://x.y/g)\n\n## Voir [le site](https://x.y/s)${under}## Fin${under}`,
    );
    expect(drafts.map(({ title }) => title)).toEqual(['Guide', 'Voir le site', 'Fin']);
    expect(drafts[0]?.body).toContain('[Guide](https://x.y/g)');
    expect(drafts[1]?.body.startsWith('Voir [le site](https://x.y/s)\n\n')).toBe(true);
  });

  it('loses no word of a heading that no title can hold, whole or divided', () => {
    const words = Array.from({ length: 90 }, (_, i) => `mot${i}`);
    const heading = words.join(' ');
    const phrases = `\n\n${'Une phrase. '.repeat(800)}\n\n`;
    const [one, two, three] = [heading.slice(0, 190), heading.slice(190, 380), heading.slice(380)];
    for (const text of [
      `# ${heading}\n\nTexte`,
      `# ${heading}\n\n${'Une phrase. '.repeat(2_000)}`,
      `Intro\n\n## ${heading}${phrases}## Court${phrases}`,
      `Intro\n\n## ${one}\n\n### ${two}${phrases}### ${three}${phrases}## B\n\nFin`,
    ]) {
      const drafts = parse(text, 'a.md', 12_000);
      const said = drafts.map(({ title, body }) => `${title}\n${body}`).join('\n');
      for (const { title } of drafts) expect(title.length).toBeLessThanOrEqual(200);
      for (const word of heading.split(' ')) if (text.includes(`${word} `)) expect(said).toContain(word);
    }
  });

  it('keeps of an exported file its size in whole bytes only: tools promise an integer', () => {
    const file = (bytes: string) =>
      parse(
        `---\natelier: 1\ntitle: T\nfile: { name: a.pdf, contentType: application/pdf, bytes: ${bytes} }\n---\nx`,
      )[0]?.file;
    expect(file('12')).toEqual({ name: 'a.pdf', contentType: 'application/pdf', bytes: 12 });
    for (const bytes of ['1.5', '-1', '.inf', '1e300']) expect(file(bytes)).toBeNull();
  });

  it('takes a block of 16 KiB at most for front matter: a longer one is text', () => {
    const keys = (count: number) =>
      `---\ntitle: Clés\n${Array.from({ length: count }, (_, n) => `cle${n}: a`).join('\n')}\n---\nTexte`;
    expect(parse(keys(1_000))[0]).toMatchObject({ title: 'Clés', body: 'Texte' });
    expect(parse(keys(40_000))[0]).toMatchObject({ title: 'Guide' });
  });

  it('is refused when empty, and kept when it is only a title', () => {
    expect(parseMarkdownFile({ path: 'a.md', text: ' \n', pillar: 'ITEMS' })).toMatchObject({ ok: false });
    expect(parse('# Titre seul')[0]).toMatchObject({ title: 'Titre seul', body: 'Titre seul' });
  });

  it('of fields alone, as a record of a database is, says its fields, and leaves none of them out', () => {
    const text =
      '---\nPrix: 240\nVendue: false\nVide:\nTags:\n  - laiton\n  - "[[Rive]]"\nfiche: {poids: 1.10, par: [Anne]}\nnote: "Deux\\nlignes"\ndate: 2026-01-31\n---\n';
    const read = parseMarkdownFile({ path: 'Lampe Rive.md', text, pillar: 'ITEMS' });
    const body =
      '- Prix : 240\n- Vendue : false\n- Tags : laiton, [[Rive]]\n- fiche : poids : 1.10, par : Anne\n- note : Deux\n  lignes';
    expect(read).toMatchObject({
      leftOut: [],
      drafts: [
        { title: 'Lampe Rive', body: body.replaceAll(' :', '\u00a0:'), createdAt: new Date('2026-01-31') },
      ],
    });
    expect(parse('---\nPrix: 240\n---\n# Titre seul')[0]).toMatchObject({ body: 'Titre seul' });
    expect(parse(`---\nPrix: 240\na: ${'['.repeat(5)}b${']'.repeat(5)}\n---`)[0]).toMatchObject({
      body: '- Prix\u00a0: 240\n- a\u00a0: …',
    });
    const dated = parseMarkdownFile({ path: 'a.md', text: '---\ndate: 2026-01-31\n---\n', pillar: 'ITEMS' });
    expect(dated).toMatchObject({ ok: false, reason: 'Ce fichier est vide.' });
  });

  it('drops the module code and comments of MDX, and keeps its text and code blocks', () => {
    const text =
      "import A from './a'\nexport const b = {\n  c: 1,\n}\n\n# T\n\n{/* non */}<A>oui</A>\n\n```js\nimport x from 'y'\n```\n";
    expect(parse(text, 'a.mdx')[0]?.body).toBe("<A>oui</A>\n\n```js\nimport x from 'y'\n```");
  });

  it('is split at its top-level headings only above 16 KiB, parts nested with stable anchors', () => {
    const section = (title: string) => `## ${title}\n\n### Détail\n\n${'Une phrase. '.repeat(600)}\n\n`;
    const small = `# Guide\n\n## A\n\nx\n\n## B\n\ny`;
    expect(parse(small)).toHaveLength(1);
    const drafts = parse(`# Guide\n\nIntro\n\n${section('Début')}${section('Suite')}${section('Début')}`);
    expect(drafts.map(({ key, title, parentKey, depth }) => [key, title, parentKey, depth])).toEqual([
      ['guide.md', 'Guide', null, 0],
      ['guide.md#début', 'Début', 'guide.md', 1],
      ['guide.md#suite', 'Suite', 'guide.md', 1],
      ['guide.md#début-1', 'Début', 'guide.md', 1],
    ]);
    expect(drafts[0]?.body).toBe('Intro');
    expect(drafts[1]?.body.startsWith('### Détail')).toBe(true);
  });

  it('never makes a Memory above the limit and loses no word, whatever the text', () => {
    const piece = fc.constantFrom(
      'mot ',
      '# A\n',
      '## B\n\n',
      '\n\n',
      '"',
      '\u0001',
      '👩‍👩‍👧‍👦',
      'é',
      '```\n',
      '\r\n',
      'x'.repeat(300),
    );
    const text = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(text, ([pieces, times]) => {
        const whole = `mot ${pieces.join('').repeat(times)}`;
        const drafts = parse(whole, 'a.md', 6000);
        for (const { title, body } of drafts) {
          const request = JSON.stringify({
            pillar: 'KNOWLEDGE',
            title,
            body,
            parentId: `mem_${'0'.repeat(26)}`,
          });
          expect(Buffer.byteLength(request)).toBeLessThanOrEqual(6000);
          expect(body.length).toBeGreaterThan(0);
          expect(title.length).toBeLessThanOrEqual(200);
        }
        expect(new Set(drafts.map(({ key }) => key)).size).toBe(drafts.length);
        const squeeze = (value: string) => value.replace(/\s+/g, '');
        expect(squeeze(chunks(whole, 500).join(''))).toBe(squeeze(whole));
        for (const chunk of chunks(whole, 500)) expect(jsonBytes(chunk)).toBeLessThanOrEqual(500);
        expect(parse(whole, 'a.md', 6000)).toEqual(drafts);
      }),
      { numRuns: 200 },
    );
  });

  it('cuts a text without spaces between graphemes', () => {
    const family = '👩‍👩‍👧‍👦';
    const parsed = parsePlainText({
      path: 'a.txt',
      text: family.repeat(500),
      pillar: 'ITEMS',
      maxBytes: 4396,
    });
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(parsed.drafts.length).toBeGreaterThan(1);
    for (const { body } of parsed.drafts) expect(body.replaceAll(family, '')).toBe('');
  });
});

describe('a folder', () => {
  it('becomes nesting under its own file, else its index; without any it is no Memory; names in natural order', () => {
    const { drafts, refused } = folder({
      'b/10-dix.md': 'x',
      'b/9-neuf.md': 'x',
      'a/README.md': '# Accueil\ntexte',
      'a/z.md': 'x',
      'c.md': '# Chapitre',
      'c/d.md': 'x',
      'image.png': 'x',
      '.git/e.md': 'x',
      '__MACOSX/a.md': 'x',
    });
    expect(refused).toEqual([]);
    expect(drafts.map(({ key, title, parentKey, depth }) => [key, title, parentKey, depth])).toEqual([
      ['a/README.md', 'Accueil', null, 0],
      ['a/z.md', 'Z', 'a/README.md', 1],
      ['b/9-neuf.md', 'Neuf', null, 0],
      ['b/10-dix.md', 'Dix', null, 0],
      ['c.md', 'Chapitre', null, 0],
      ['c/d.md', 'D', 'c.md', 1],
    ]);
  });

  it('named after a pillar stands for it; children follow their parent’s pillar, or leave it', () => {
    const { drafts } = folder({
      '1-identity/a.md': 'x',
      'Publics/b.md': 'x',
      'Consignes/i.md': 'x',
      'autre/c.md': '---\npillar: ITEMS\n---\nx',
      'g.md': '---\npillar: GUIDELINES\n---\nx',
      'g/h.md': 'x',
    });
    expect(drafts.map(({ key, pillar, parentKey }) => [key, pillar, parentKey])).toEqual([
      ['1-identity/a.md', 'IDENTITY', null],
      ['autre/c.md', 'ITEMS', null],
      ['Consignes/i.md', 'GUIDELINES', null],
      ['g.md', 'GUIDELINES', null],
      ['g/h.md', 'GUIDELINES', 'g.md'],
      ['Publics/b.md', 'PEOPLE', null],
    ]);
  });

  it('deeper than 16 is flattened, and a path of 20,000 folders does not overflow', () => {
    const indexes = Array.from({ length: 21 }, (_, depth) => [`${'d/'.repeat(depth + 1)}index.md`, 'x']);
    const deep = folder(Object.fromEntries(indexes)).drafts;
    expect(Math.max(...deep.map(({ depth }) => depth))).toBe(16);
    expect(deep).toHaveLength(21);
    expect(folder({ [`${'d/'.repeat(20_000)}x.md`]: 'x' }).drafts).toHaveLength(1);
  });

  it('refuses with its reason what is in no charset that is read, binary or empty, and imports the rest', () => {
    const { drafts, refused } = folder({
      'a.md': new Uint8Array([0xe9, 0x74, 0xe9]),
      'b.md': 'x\0y',
      'c.md': '',
      'd.md': '\ufeff# Titre\nTexte',
    });
    expect(drafts.map(({ title }) => title)).toEqual(['Titre']);
    expect(refused).toEqual([
      { path: 'a.md', reason: expect.stringMatching(/^Le texte de ce fichier n’a pas pu être lu/) },
      { path: 'b.md', reason: 'Ce fichier contient des octets nuls : ce n’est pas un texte.' },
      { path: 'c.md', reason: 'Ce fichier est vide.' },
    ]);
  });

  it('tells once which fields of front matter no Memory keeps, and nothing of those that say nothing', () => {
    const { drafts, refused, leftOut } = folder({
      'a.md': '---\ntitle: A\nauteur: Jeanne\ntags: [ton, voix]\nvide:\nrien: []\n---\nx',
      'b.md': '---\ntags: ton\nkind: recette\ndescription: Une lampe.\n---\ny',
      'c.md': '---\ntitle: C\nkind: fact\ndate: 2026-01-31\n---\nz',
    });
    expect(drafts.map(({ body }) => body)).toEqual(['x', 'Une lampe.\n\ny', 'z']);
    expect(refused).toEqual([]);
    expect(leftOut).toEqual([
      {
        path: 'a.md',
        reason:
          'Champs d’en-tête laissés de côté, ici et dans 1 autre fichier\u00a0: «\u00a0auteur\u00a0», «\u00a0tags\u00a0», «\u00a0kind\u00a0».',
      },
    ]);
    const one = folder({ 'a.md': '---\nauteur: Jeanne\n---\nx' }).leftOut;
    expect(one.map(({ reason }) => reason)).toEqual([
      'Champs d’en-tête laissés de côté\u00a0: «\u00a0auteur\u00a0».',
    ]);
    expect(folder({ 'c.md': '---\ntitle: C\n---\nz' }).leftOut).toEqual([]);
  });

  it('gives every Memory the same key when read again in any order', () => {
    const files = { 'b/x.md': '# X', 'a.md': 'x', 'b/y.md': 'y' };
    const reversed = Object.fromEntries(Object.entries(files).reverse());
    expect(folder(reversed)).toEqual(folder(files));
  });
});
