import { strToU8, unzipSync, zipSync } from 'fflate';
import { makeDocx, paragraph } from './docx.ts';

export type HostileFile = { name: string; bytes: Uint8Array };

const times = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('');

/** Word documents, tables and saved pages made to be slow, deep, huge or misread, by what is wrong with each. */
export function hostileDocuments(): HostileFile[] {
  const run = (words: string, bold: boolean) =>
    `<w:r><w:rPr>${bold ? '<w:b/>' : ''}</w:rPr><w:t>${words}</w:t></w:r>`;
  const bodies: Record<string, string> = {
    paragraphs: times(120_000, (i) => paragraph(`p${i}`)),
    runs: `<w:p>${times(150_000, (i) => run('a ', i % 2 === 0))}</w:p>`,
    'one-text': paragraph('mot '.repeat(2_000_000)),
    spaces: paragraph(' '.repeat(5_000_000)),
    'spaces-inside': `<w:p><w:r><w:t xml:space="preserve">a${' '.repeat(500_000)}b</w:t></w:r></w:p>`,
    'nested-tables': `${'<w:tbl><w:tr><w:tc>'.repeat(300)}${paragraph('x')}${'</w:tc></w:tr></w:tbl>'.repeat(300)}`,
    'wide-table': `<w:tbl><w:tr>${times(60_000, () => `<w:tc>${paragraph('x')}</w:tc>`)}</w:tr>${times(40, () => '<w:tr><w:tc><w:p><w:r><w:t>y</w:t></w:r></w:p></w:tc></w:tr>')}</w:tbl>`,
    spans: `<w:tbl><w:tr>${times(20_000, () => '<w:tc><w:tcPr><w:gridSpan w:val="99999999"/></w:tcPr><w:p/></w:tc>')}</w:tr></w:tbl>${paragraph('x')}`,
    'nested-paragraphs': `${'<w:p><w:r>'.repeat(480)}${'</w:r></w:p>'.repeat(480)}${paragraph('x')}`,
    'deep-lists': times(40_000, (i) =>
      paragraph('x', '', `<w:numPr><w:ilvl w:val="${i * 7}"/><w:numId w:val="2"/></w:numPr>`),
    ),
    'heading-levels': times(20_000, (i) => paragraph('t', '', `<w:outlineLvl w:val="${i % 12}"/>`)),
    attributes: `<w:p ${times(50_000, (i) => `a${i}="x" `)}/>${paragraph('x')}`,
    namespaces: `${times(900, (i) => `<w:sdt xmlns:n${i}="u${i}">`)}${paragraph('x')}${'</w:sdt>'.repeat(900)}`,
    references: `<w:p><w:r>${'<w:footnoteReference w:id="1"/>'.repeat(100_000)}</w:r></w:p>`,
  };
  const docx = Object.entries(bodies).map(([name, body]) => ({
    name: `${name}.docx`,
    bytes: makeDocx(body),
  }));
  const entries = unzipSync(makeDocx(paragraph('x', 'a0')));
  const having = (name: string, path: string, xml: string) => ({
    name: `${name}.docx`,
    bytes: zipSync({ ...entries, [path]: strToU8(xml) }),
  });
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const cyclic = times(
    5_000,
    (i) => `<w:style w:styleId="a${i}"><w:name w:val="n"/><w:basedOn w:val="a${(i + 1) % 5_000}"/></w:style>`,
  );
  const csv: Record<string, string> = {
    quotes: '"'.repeat(4_000_000),
    'open-quote': `a,b\n"${'x\n'.repeat(1_000_000)}`,
    commas: ','.repeat(5_000_000),
    wide: `${'a,'.repeat(1_000_000)}\n${'b\n'.repeat(19_000)}`,
    rows: 'a;b\n'.repeat(1_000_000),
    'quoted-cells': '"a""b",'.repeat(400_000),
  };
  const html: Record<string, string> = {
    'open-tags': '<div>'.repeat(400_000),
    lists: `<body class="doc-content">${times(9_000, (i) => `<ul class="lst-kix_a-${i % 9}"><li>x</li></ul>`)}`,
    'same-list': `<body class="doc-content">${times(12_000, () => '<ul class="lst-kix_a-0"><li>x</li></ul>')}`,
    classes: `<style>${times(9_000, (i) => `.c${i}{font-weight:700}`)}</style><body class="doc-content"><p>${times(8_000, (i) => `<span class="c${i}">x</span>`)}</p>`,
    'half-rules': `<style>${'.c1{'.repeat(50_000)}</style><body class="doc-content"><p>x</p>`,
    'google-links': `<body class="doc-content"><p>${times(9_000, () => '<a href="https://www.google.com/url?q=javascript:alert(1)">x</a>')}</p>`,
  };
  const id = '0123456789abcdef'.repeat(2);
  const notion: Record<string, string> = {
    links: '[a]('.repeat(1_000_000),
    brackets: times(3_000, () => `${'['.repeat(600)}\n`),
    pictures: times(2_000, () => `${'![a](b(c'.repeat(200)}\n`),
    'child-pages': times(60_000, (i) => `[a${i}](a${i}.md)\n`),
  };
  return [
    ...docx,
    having('cyclic-styles', 'word/styles.xml', `<w:styles ${W}>${cyclic}</w:styles>`),
    having('inflates', 'word/document.xml', `<w:document ${W}>${' '.repeat(31_000_000)}</w:document>`),
    having('bomb', 'word/document.xml', ' '.repeat(40_000_000)),
    having(
      'entities',
      'word/document.xml',
      `<!DOCTYPE w [<!ENTITY a "${'x'.repeat(9_000)}">]><w ${W}>${'&a;'.repeat(90_000)}</w>`,
    ),
    having(
      'elsewhere',
      '_rels/.rels',
      '<R xmlns="x"><Relationship Type="a/officeDocument" Target="file:///etc/passwd"/></R>',
    ),
    having('no-xml', 'word/document.xml', '\u0001'.repeat(500_000)),
    ...Object.entries(csv).map(([name, value]) => ({ name: `${name}.csv`, bytes: strToU8(value) })),
    ...Object.entries(html).map(([name, value]) => ({
      name: `${name}.html`,
      bytes: strToU8(`<html>${value}`),
    })),
    ...Object.entries(notion).map(([name, value]) => ({ name: `${name} ${id}.md`, bytes: strToU8(value) })),
  ];
}
