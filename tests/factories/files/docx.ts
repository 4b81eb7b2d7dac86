import { zipSync } from 'fflate';

const text = (value: string) => new TextEncoder().encode(value);
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The styles of a French Word: identifiers are translated, names are not. */
const FRENCH_STYLES = ['1', '2', '3']
  .map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Titre${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="${Number(level) - 1}"/></w:pPr></w:style>`,
  )
  .join('');
const STYLES = `${FRENCH_STYLES}<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style><w:style w:type="paragraph" w:styleId="Titre"><w:name w:val="Title"/></w:style><w:style w:type="paragraph" w:styleId="TM1"><w:name w:val="toc 1"/></w:style><w:style w:type="paragraph" w:styleId="Listepuces"><w:name w:val="List Bullet"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`;
const NUMBERING =
  '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>';

type Parts = { links?: Record<string, string>; footnotes?: string; more?: Record<string, Uint8Array> };

/** A paragraph of this style with this text. */
export function paragraph(words: string, style = '', properties = ''): string {
  const named = style ? `<w:pStyle w:val="${style}"/>` : '';
  return `<w:p><w:pPr>${named}${properties}</w:pPr><w:r><w:t xml:space="preserve">${words}</w:t></w:r></w:p>`;
}

/** The archive that Word writes around a body. */
export function makeDocx(body: string, { links = {}, footnotes = '', more = {} }: Parts = {}): Uint8Array {
  const relations = [
    ['styles', 'styles.xml'],
    ['numbering', 'numbering.xml'],
    ['footnotes', 'footnotes.xml'],
  ]
    .map(([type, target], i) => `<Relationship Id="s${i}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('');
  const external = Object.entries(links)
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${OFFICE}/hyperlink" Target="${target}" TargetMode="External"/>`,
    )
    .join('');
  const RELS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
  return zipSync({
    '[Content_Types].xml': text(
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    ),
    '_rels/.rels': text(
      `${HEAD}<Relationships ${RELS}><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    'word/_rels/document.xml.rels': text(
      `${HEAD}<Relationships ${RELS}>${relations}${external}</Relationships>`,
    ),
    'word/document.xml': text(
      `${HEAD}<w:document ${W} ${R} ${MC}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    ),
    'word/styles.xml': text(`${HEAD}<w:styles ${W}>${STYLES}</w:styles>`),
    'word/numbering.xml': text(`${HEAD}<w:numbering ${W}>${NUMBERING}</w:numbering>`),
    'word/footnotes.xml': text(`${HEAD}<w:footnotes ${W}>${footnotes}</w:footnotes>`),
    ...more,
  });
}
