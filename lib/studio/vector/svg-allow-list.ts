import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { expandedCount, type SvgNode } from './svg-expansion.ts';
import { readValue } from './svg-values.ts';
import {
  DRAWN_ELEMENTS,
  HREF_ELEMENTS,
  SVG_ATTRIBUTES,
  SVG_ELEMENTS,
  TEXT_ELEMENTS,
} from './svg-vocabulary.ts';

const SVG_LIMITS = {
  bytes: 64 * 1024,
  depth: 32,
  elements: 2_000,
  attributesPerElement: 40,
  /** Elements drawn once every `use`, clip, mask and gradient is followed. */
  expandedElements: 10_000,
  /** Largest side of the view box, in its own units. */
  side: 100_000,
} as const;

export type SvgRefusal =
  | 'too-large'
  | 'not-xml'
  | 'doctype'
  | 'processing-instruction'
  | 'cdata'
  | 'comment'
  | 'text'
  | 'namespace'
  | 'element'
  | 'attribute'
  | 'value'
  | 'reference'
  | 'expansion'
  | 'too-deep'
  | 'too-many'
  | 'size'
  | 'empty';

type SvgVerdict =
  | {
      ok: true;
      viewBox: readonly [number, number, number, number];
      width: number;
      height: number;
      elements: number;
    }
  | { ok: false; code: 'svg-unsafe'; reason: SvgRefusal };

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

class Unsafe extends Error {
  readonly reason: SvgRefusal;
  constructor(reason: SvgRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Says whether an SVG holds nothing but drawing: strict XML, allow-listed elements and attributes, values read by their own
 * grammar, references that stay in the file, bounded cost to draw. It is accepted as it is or refused, never repaired.
 */
export function checkSvg(source: string): SvgVerdict {
  try {
    if (Buffer.byteLength(source) > SVG_LIMITS.bytes) throw new Unsafe('too-large');
    return new Checker(source).run();
  } catch (error) {
    return { ok: false, code: 'svg-unsafe', reason: error instanceof Unsafe ? error.reason : 'not-xml' };
  }
}

type OpenElement = { name: string; node: SvgNode };

class Checker {
  private readonly source: string;
  private readonly open: OpenElement[] = [];
  private readonly byId = new Map<string, SvgNode>();
  private root: { node: SvgNode; attributes: Map<string, string> } | null = null;
  private elements = 0;
  private drawn = 0;

  constructor(source: string) {
    this.source = source;
  }

  run(): SvgVerdict {
    const parser = new SaxesParser({ xmlns: true, position: true });
    parser.on('error', () => fail('not-xml'));
    parser.on('xmldecl', ({ version, encoding }) => {
      if (version !== '1.0' || (encoding ?? 'utf-8').toLowerCase() !== 'utf-8') fail('not-xml');
    });
    parser.on('doctype', () => fail('doctype'));
    parser.on('processinginstruction', () => fail('processing-instruction'));
    parser.on('cdata', () => fail('cdata'));
    // With these characters an HTML parser would not end the comment where XML does.
    parser.on('comment', (text) => {
      if (/[<>&]|--/.test(text)) fail('comment');
    });
    parser.on('text', (text) => this.text(text));
    parser.on('opentag', (tag) => this.openTag(tag, parser.position));
    parser.on('closetag', () => void this.open.pop());
    parser.write(this.source).close();
    return this.verdict();
  }

  private text(text: string): void {
    const parent = this.open.at(-1);
    if (text.trim() !== '' && !(parent && TEXT_ELEMENTS.has(parent.name))) fail('text');
  }

  private openTag(tag: SaxesTagNS, end: number): void {
    if (tag.uri !== SVG_NAMESPACE || tag.prefix !== '') fail('namespace');
    if (!SVG_ELEMENTS.has(tag.local)) fail('element');
    this.elements += 1;
    if (this.elements > SVG_LIMITS.elements) fail('too-many');
    if (this.open.length >= SVG_LIMITS.depth) fail('too-deep');
    const parent = this.open.at(-1);
    if ((parent === undefined) !== (tag.local === 'svg')) fail('element');
    // A `<` cannot stand in an attribute, so the last one before the tag's end opens it.
    const raw = this.source.slice(this.source.lastIndexOf('<', end - 1), end);
    if (/[\\&]/.test(raw)) fail('value');
    const node: SvgNode = { id: null, children: [], points: [] };
    const attributes = this.attributes(tag, node);
    if (parent) parent.node.children.push(node);
    else this.root = { node, attributes };
    if (DRAWN_ELEMENTS.has(tag.local)) this.drawn += 1;
    this.open.push({ name: tag.local, node });
  }

  private attributes(tag: SaxesTagNS, node: SvgNode): Map<string, string> {
    const entries = Object.values(tag.attributes);
    if (entries.length > SVG_LIMITS.attributesPerElement) fail('too-many');
    const values = new Map<string, string>();
    for (const attribute of entries) {
      if (isNamespaceDeclaration(attribute)) continue;
      const { name, value } = attribute;
      const kind = SVG_ATTRIBUTES.get(name);
      if (!kind || !prefixIsHonest(attribute)) fail('attribute');
      if (kind === 'reference' && !HREF_ELEMENTS.has(tag.local)) fail('attribute');
      const verdict = readValue(kind, value);
      if (!verdict.ok) fail(kind === 'reference' || kind === 'local-url' ? 'reference' : 'value');
      node.points.push(...verdict.points);
      if (name === 'id') this.name(node, value.trim());
      values.set(name, value.trim());
    }
    return values;
  }

  private name(node: SvgNode, id: string): void {
    if (this.byId.has(id)) fail('reference');
    node.id = id;
    this.byId.set(id, node);
  }

  private verdict(): SvgVerdict {
    if (!this.root || this.drawn === 0) throw new Unsafe('empty');
    const count = expandedCount(this.root.node, this.byId);
    if (count === 'missing') throw new Unsafe('reference');
    if (count === 'cycle' || count > SVG_LIMITS.expandedElements) throw new Unsafe('expansion');
    return { ok: true, ...measure(this.root.attributes), elements: this.elements };
  }
}

function fail(reason: SvgRefusal): never {
  throw new Unsafe(reason);
}

/** The default namespace and xlink may be declared, as exactly what they are. */
function isNamespaceDeclaration({ name, value }: SaxesAttributeNS): boolean {
  if (name === 'xmlns' && value === SVG_NAMESPACE) return true;
  if (name === 'xmlns:xlink' && value === XLINK_NAMESPACE) return true;
  if (name === 'xmlns' || name.startsWith('xmlns:')) fail('namespace');
  return false;
}

function prefixIsHonest({ prefix, uri }: SaxesAttributeNS): boolean {
  if (prefix === 'xlink') return uri === XLINK_NAMESPACE;
  if (prefix === 'xml') return uri === XML_NAMESPACE;
  return prefix === '';
}

/** The view box, else the size in pixels; one of the two must give a finite, positive area. */
function measure(attributes: ReadonlyMap<string, string>) {
  const width = pixels(attributes.get('width'));
  const height = pixels(attributes.get('height'));
  const written = attributes.get('viewBox');
  const viewBox =
    written === undefined ? [0, 0, width ?? 0, height ?? 0] : written.split(/[\s,]+/).map(Number);
  const [x, y, w, h] = viewBox;
  const sound =
    viewBox.length === 4 &&
    viewBox.every((number) => Math.abs(number) <= SVG_LIMITS.side) &&
    w! > 0 &&
    h! > 0;
  if (!sound) throw new Unsafe('size');
  const size = { width: width ?? w!, height: height ?? h! };
  if (!(size.width > 0 && size.height > 0 && Math.max(size.width, size.height) <= SVG_LIMITS.side)) {
    throw new Unsafe('size');
  }
  return { viewBox: [x!, y!, w!, h!] as const, ...size };
}

/** A length in pixels; undefined for one that depends on the page (`100%`, `1em`). */
function pixels(length: string | undefined): number | undefined {
  const number = /^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)(?:px)?$/.exec(length ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}
