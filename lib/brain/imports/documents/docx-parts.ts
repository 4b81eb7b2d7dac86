import { SaxesParser, type SaxesTagNS } from 'saxes';

/** The two namespaces of WordprocessingML: what Word writes, and what it writes in « strict » mode. */
const WORD = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
]);
/** Nothing that a person wrote is nested deeper. */
const MAX_NESTING = 1_000;

type WordEvents = {
  /** `name` is without prefix; '' for an element of another vocabulary than Word's. */
  open(name: string, tag: SaxesTagNS): void;
  close(name: string, tag: SaxesTagNS): void;
  text?(text: string): void;
};

/** A part of a Word document that is not what the format says. */
export class BadPart extends Error {}

/** Reads the XML of one part as it comes, nothing of it kept. Throws `BadPart` for what is no XML, declares a document type, or is nested without end. */
export function readXml(xml: string, events: WordEvents): void {
  const parser = new SaxesParser({ xmlns: true });
  let depth = 0;
  parser.on('error', () => {
    throw new BadPart();
  });
  // No office program writes one: it is there to declare entities.
  parser.on('doctype', () => {
    throw new BadPart();
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_NESTING) throw new BadPart();
    events.open(nameOf(tag), tag);
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    events.close(nameOf(tag), tag);
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  parser.write(xml).close();
}

function nameOf(tag: SaxesTagNS): string {
  return WORD.has(tag.uri) ? tag.local : '';
}

/** The attribute of this name, whatever its prefix. */
export function attribute(tag: SaxesTagNS, name: string): string | undefined {
  return Object.values(tag.attributes).find(({ local }) => local === name)?.value;
}

/** Whether a property that is on by being there is on: `<w:b/>`, not `<w:b w:val="0"/>`. */
export function isOn(tag: SaxesTagNS): boolean {
  return !/^(0|false|off|none)$/i.test(attribute(tag, 'val') ?? '');
}

export type Place = { numId?: string | undefined; level?: number | undefined };

export type WordStyle = Place & {
  name: string;
  basedOn?: string;
  /** From 0, as the format counts headings. */
  outline?: number;
};

/** The paragraph styles of `styles.xml`, by identifier. */
export function readStyles(xml: string): Map<string, WordStyle> {
  const styles = new Map<string, WordStyle>();
  let style: WordStyle | null = null;
  readXml(xml, {
    open(name, tag) {
      const value = attribute(tag, 'val') ?? '';
      if (name === 'style') {
        style = { name: '' };
        styles.set(attribute(tag, 'styleId') ?? '', style);
      } else if (!style) return;
      else if (name === 'name') style.name = value;
      else if (name === 'basedOn') style.basedOn = value;
      else if (name === 'outlineLvl') style.outline = Number(value);
      else if (name === 'numId') style.numId = value;
      else if (name === 'ilvl') style.level = Number(value);
    },
    close(name) {
      if (name === 'style') style = null;
    },
  });
  return styles;
}

/** Whether a level of a list counts, from `numbering.xml`: by `numId:level`. */
export function readNumbering(xml: string): Map<string, boolean> {
  const kinds = new Map<string, Map<string, boolean>>();
  const lists = new Map<string, string>();
  let kind: Map<string, boolean> | null = null;
  let level = '';
  let list = '';
  readXml(xml, {
    open(name, tag) {
      const value = attribute(tag, 'val') ?? '';
      if (name === 'abstractNum') {
        kind = new Map();
        kinds.set(attribute(tag, 'abstractNumId') ?? '', kind);
      } else if (name === 'lvl') level = attribute(tag, 'ilvl') ?? '';
      else if (name === 'numFmt') kind?.set(level, value !== 'bullet' && value !== 'none');
      else if (name === 'num') list = attribute(tag, 'numId') ?? '';
      else if (name === 'abstractNumId') lists.set(list, value);
    },
    close(name) {
      if (name === 'abstractNum') kind = null;
    },
  });
  const counted = new Map<string, boolean>();
  for (const [id, of] of lists)
    for (const [at, counts] of kinds.get(of) ?? []) counted.set(`${id}:${at}`, counts);
  return counted;
}

export type Relation = { type: string; target: string; external: boolean };

/** What a part points to, by identifier, from its `.rels`. */
export function readRelations(xml: string): Map<string, Relation> {
  const relations = new Map<string, Relation>();
  readXml(xml, {
    open(_, tag) {
      if (tag.local !== 'Relationship') return;
      const type = attribute(tag, 'Type') ?? '';
      relations.set(attribute(tag, 'Id') ?? '', {
        type: type.slice(type.lastIndexOf('/') + 1),
        target: attribute(tag, 'Target') ?? '',
        external: attribute(tag, 'TargetMode') === 'External',
      });
    },
    close() {},
  });
  return relations;
}

const DRAWING = /\/drawingml\/(?:2006\/)?main$/;

/** What the data of a diagram (SmartArt) say, a paragraph each, in the order of the file. */
export function readDiagram(xml: string): string[] {
  const said: string[] = [];
  let paragraph = '';
  let inText = false;
  readXml(xml, {
    open(_, { local, uri }) {
      if (!DRAWING.test(uri)) return;
      if (local === 'p') paragraph = '';
      else if (local === 't') inText = true;
      else if (local === 'br') paragraph += ' ';
    },
    close(_, { local, uri }) {
      if (!DRAWING.test(uri)) return;
      if (local === 't') inText = false;
      if (local !== 'p') return;
      const text = paragraph.replace(/\s+/g, ' ').trim();
      if (text !== '') said.push(text);
    },
    text(text) {
      if (inText) paragraph += text;
    },
  });
  return said;
}
