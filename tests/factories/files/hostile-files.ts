import { deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { type HostileFile, hostileDocuments } from './hostile-documents.ts';

type HostilePage = { name: string; contentType: string; bytes: Uint8Array };

const text = (value: string) => new TextEncoder().encode(value);
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i));

/** A PDF of these objects, numbered from 1, whose first is the catalogue; no cross-reference: readers rebuild it. */
function pdf(...objects: string[]): Uint8Array {
  const body = objects.map((object, i) => `${i + 1} 0 obj${object}endobj\n`).join('');
  return Buffer.from(`%PDF-1.4\n${body}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF`, 'latin1');
}

function stream(content: string, deflated = false): string {
  const packed = deflated ? deflateSync(Buffer.from(content, 'latin1')).toString('latin1') : content;
  return `<<${deflated ? '/Filter/FlateDecode' : ''}/Length ${packed.length}>>stream\n${packed}\nendstream`;
}

const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const PAGES = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const PAGE =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>';
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';
const pageOf = (content: string, deflated = false) =>
  pdf(CATALOG, PAGES, PAGE, stream(content, deflated), FONT);

/** Texts made to be slow, deep, huge or misread, by what is wrong with each. */
export function hostileTexts(): HostileFile[] {
  const md: Record<string, string> = {
    newlines: `${'\n'.repeat(4_000_000)}x`,
    'blank-lines': `${' \t\r\n'.repeat(800_000)}x`,
    'newlines-inside': `a${'\n'.repeat(1_500_000)}b`,
    'open-brackets': lines(4_000, () => `# ${'['.repeat(499)}`).join('\n'),
    'half-links': lines(4_000, () => `# ${'[]('.repeat(166)}`).join('\n'),
    'bold-marks': lines(4_000, () => `# ${'**a'.repeat(160)}`).join('\n'),
    'code-marks': lines(4_000, () => `# ${'`a__'.repeat(120)}`).join('\n'),
    'spaced-heading': `# a${' '.repeat(1_000_000)}b\n\nx`,
    'hash-tail': `# a ${'#'.repeat(1_000_000)} b\n\nx`,
    'many-keys': `---\n${lines(40_000, (i) => `key${i}: x`).join('\n')}\n---\nx`,
    'keys-below-limit': `---\n${lines(1_400, (i) => `key${i}: x`).join('\n')}\n---\nx`,
    'same-keys': `---\n${lines(3_000, () => 'k: x').join('\n')}\n---\nx`,
    'flow-nesting': `---\na: ${'['.repeat(15_000)}\n---\nx`,
    'map-nesting': `---\n${lines(150, (i) => `${' '.repeat(i)}a:`).join('\n')}\n---\nx`,
    aliases: `---\na: &a [x,x,x,x,x,x,x,x,x]\n${lines(9, (i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [${lines(9, () => `*${'abcdefghi'[i]}`).join(',')}]`).join('\n')}\n---\nx`,
    'open-front-matter': `---\n${'a: b\n'.repeat(200_000)}`,
    'front-matter-spaces': `---\n${lines(2_000, () => `---${' '.repeat(500)}x`).join('\n')}`,
    fences: '```a`\n'.repeat(300_000),
    'open-fence': `\`\`\`\n${'x\n'.repeat(500_000)}`,
    'one-line': 'a'.repeat(5_000_000),
    spaces: ' '.repeat(5_000_000),
    'spaces-then-x': `${' '.repeat(3_000_000)}x`,
    family: '👨‍👩‍👧‍👦'.repeat(60_000),
    joiners: `a${'\u200d'.repeat(800_000)}`,
    marks: `e${'\u0301'.repeat(800_000)}`,
    flags: '🇫'.repeat(300_000),
    emphasis: '*a_'.repeat(200_000),
    underscores: '_a_ __'.repeat(150_000),
    brackets: '['.repeat(1_500_000),
    quotes: `${'> '.repeat(700_000)}x`,
    lists: lines(1_500, (i) => `${'  '.repeat(i)}- x`).join('\n'),
    tables: `${'|a'.repeat(100_000)}|\n${'|-'.repeat(100_000)}|\n${'|b'.repeat(100_000)}|`,
    'distinct-headings': lines(60_000, (i) => `# t${i}\n\nx`).join('\n'),
    'same-headings': '# t\n\nx\n'.repeat(60_000),
    'numbered-headings': lines(20_000, (i) => `# a${i % 2 === 0 ? '' : `-${i}`}\n\nx`).join('\n'),
    'nested-headings': lines(30_000, (i) => `${'#'.repeat(1 + (i % 6))} t\n\n${'x'.repeat(40)}`).join('\n'),
    controls: '\u0001'.repeat(700_000),
    separators: '\u2028'.repeat(500_000),
    tags: '\u{e0041}'.repeat(200_000),
    overrides: '\u202e'.repeat(500_000),
    'empty-title': '# \n\n# \n\n# \n',
  };
  const mdx: Record<string, string> = {
    comments: `${'{/*'.repeat(600)}\n`.repeat(2_000),
    'one-end': `${'*/}'}${'{/*'.repeat(650)}\n`.repeat(2_000),
    imports: `import w${' from'.repeat(20_000)}\n`.repeat(20),
  };
  return [
    ...Object.entries(md).map(([name, value]) => ({ name: `${name}.md`, bytes: text(value) })),
    ...Object.entries(mdx).map(([name, value]) => ({ name: `${name}.mdx`, bytes: text(value) })),
    { name: 'nul.md', bytes: text('a\0b') },
    { name: 'not-utf8.md', bytes: Buffer.alloc(1_000_000, 0xff) },
    { name: 'surrogates.txt', bytes: Buffer.alloc(300_000, Buffer.from([0xed, 0xa0, 0x80])) },
    { name: 'long.txt', bytes: text('mot '.repeat(1_000_000)) },
    { name: 'empty.txt', bytes: text('') },
    { name: `${'d/'.repeat(400)}deep.md`, bytes: text('x') },
  ];
}

function hostileArchives(): HostileFile[] {
  const zeros = zipSync({ 'zeros.md': new Uint8Array(15_000_000) });
  const lying = zipSync({ 'lying.md': new Uint8Array(5_000_000) });
  new DataView(lying.buffer, lying.byteOffset).setUint32(lying.length - 22 - 46 - 8 + 24, 10, true);
  const many = zipSync(Object.fromEntries(lines(5_001, (i) => `n${i}.md`).map((name) => [name, text('')])));
  const counted = Uint8Array.from(zipSync({ a: text('x') }));
  counted.fill(0xff, counted.length - 14, counted.length - 2);
  return [
    { name: 'zeros.zip', bytes: zeros },
    { name: 'lying.zip', bytes: lying },
    { name: 'many.zip', bytes: many },
    { name: 'counted.zip', bytes: counted },
    { name: 'climbs.zip', bytes: zipSync({ '../../etc/passwd.md': text('x') }) },
    { name: 'cut.zip', bytes: zeros.slice(0, 9_000) },
    { name: 'inner.zip', bytes: zipSync({ 'inner/inner.zip': zeros }) },
    { name: 'no.zip', bytes: text('PK') },
  ];
}

function hostileJson(): HostileFile[] {
  const space = { format: 'atelier.space', version: 1, space: {} };
  return [
    { name: 'arrays.json', bytes: text('['.repeat(1_000_000)) },
    { name: 'object.json', bytes: text(`{${'"a":{'.repeat(100_000)}`) },
    { name: 'memories.json', bytes: text(JSON.stringify({ ...space, memories: lines(60_000, () => '') })) },
    { name: 'string.json', bytes: text(`"${'\\u0000'.repeat(500_000)}"`) },
    { name: 'proto.json', bytes: text('{"__proto__":{"format":"atelier.space"},"constructor":1}') },
  ];
}

/** PDFs that their reader does not finish in its time, which grows with the square of their saves: each costs a process all of it. */
export function endlessPdfs(): HostileFile[] {
  return [
    { name: 'saves.pdf', bytes: pageOf('q '.repeat(100_000)) },
    { name: 'saves-packed.pdf', bytes: pageOf('q '.repeat(2_000_000), true) },
  ];
}

function hostilePdfs(): HostileFile[] {
  return [
    { name: 'noise.pdf', bytes: Buffer.concat([text('%PDF-1.7\n'), Buffer.alloc(200_000, 0x9c)]) },
    { name: 'circle.pdf', bytes: pdf(CATALOG, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>') },
    { name: 'counted.pdf', bytes: pdf(CATALOG, '<</Type/Pages/Kids[3 0 R]/Count 999999999>>', PAGE) },
    { name: 'dictionaries.pdf', bytes: pdf(`${'<<'.repeat(50_000)}`) },
    { name: 'arrays.pdf', bytes: pageOf('['.repeat(100_000)) },
    { name: 'inflates.pdf', bytes: pageOf(' '.repeat(30_000_000), true) },
    { name: 'words.pdf', bytes: pageOf(`BT /F1 9 Tf ${'(a) Tj '.repeat(50_000)} ET`) },
    { name: 'self.pdf', bytes: pdf('1 0 R') },
  ];
}

let made: readonly HostileFile[] | undefined;

/** Every file that an import could be sent to harm its reader, save those that never end. Made once: packing them takes seconds. */
export function hostileFiles(): readonly HostileFile[] {
  made ??= [
    ...hostileTexts(),
    ...hostileDocuments(),
    ...hostileArchives(),
    ...hostileJson(),
    ...hostilePdfs(),
  ];
  return made;
}

/** Web pages made to harm their reader. */
export function hostilePages(): HostilePage[] {
  const html: Record<string, string> = {
    'bold-in-paragraphs': `<p>${'<b>'.repeat(5_000)}${'<p>x'.repeat(5_000)}`,
    'bold-below-limit': `${'<p>'}${'<b>'.repeat(900)}${'<p>x'.repeat(3_000)}`,
    'spaced-pre': `<pre>${' '.repeat(60_000)}x</pre>`,
    nested: '<div>'.repeat(100_000),
    'nested-below-limit': `${'<div>'.repeat(950)}x`,
    siblings: '<p>x</p>'.repeat(20_000),
    attributes: `<p ${lines(50_000, (i) => `a${i}=1`).join(' ')}>x`,
    open: '<'.repeat(2_000_000),
    comments: '<!--'.repeat(500_000),
    entities: '&amp'.repeat(500_000),
    tables: '<table><tr><td>'.repeat(300),
    quotes: `${'<blockquote>'.repeat(900)}${'x\n'.repeat(20_000)}`,
    style: `<p style="${'display'.padEnd(200_000)}">x`,
    links: '<a href="/x">y</a>'.repeat(10_000),
    lists: `${'<ul><li>'.repeat(450)}x`,
    script: `<script>${'<!--<script>'.repeat(100_000)}`,
    svg: `<svg>${'<g>'.repeat(990)}<title>x`,
    paragraphs: `<article>${lines(3_000, () => `<p>${'Une phrase qui dit, et redit, quelque chose. '.repeat(8)}</p>`).join('')}</article>`,
  };
  return [
    ...Object.entries(html).map(([name, value]) => ({
      name,
      contentType: 'text/html',
      bytes: text(value),
    })),
    { name: 'lines', contentType: 'text/plain', bytes: text(`${'\n'.repeat(4_000_000)}x`) },
    { name: 'markdown', contentType: 'text/markdown', bytes: text(`# ${'['.repeat(2_000_000)}`) },
    { name: 'pdf', contentType: 'application/pdf', bytes: pageOf('[<'.repeat(50_000)) },
  ];
}
