import type { SaxesTagNS } from 'saxes';
import { inPlainText } from '../parse/raised.ts';
import { wholeWords } from '../parse/text.ts';
import { attribute, isOn, type Place, type Relation, readXml, type WordStyle } from './docx-parts.ts';
import { afterMath, beforeMath, signOf } from './docx-signs.ts';

export type Block =
  | { kind: 'title' | 'paragraph'; text: string }
  /** `level` from 1. */
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'item'; level: number; list: string; counted: boolean; text: string }
  | { kind: 'table'; rows: string[][] };

type WordParts = {
  styles: ReadonlyMap<string, WordStyle>;
  counted: ReadonlyMap<string, boolean>;
  relations: ReadonlyMap<string, Relation>;
  /** What the diagram that a relation names says; absent in notes, which hold none. */
  diagram?: (id: string) => readonly string[];
};

type Piece = { text: string; bold: boolean; italic: boolean; link: string | null };
type Run = {
  bold: boolean;
  italic: boolean;
  hidden: boolean;
  /** Of a formula: its letters are slanted, and no emphasis. */
  isMath: boolean;
  place: 'raised' | 'lowered' | null;
};
const PLAIN_RUN: Run = { bold: false, italic: false, hidden: false, isMath: false, place: null };
type Paragraph = Place & { style: string; outline?: number; pieces: Piece[] };
/** `span`: how many columns the cell that is read takes. */
type Table = { rows: string[][]; span: number };

/** What a reviser struck out or moved away, the instructions of fields, and properties as they were before a revision. */
const PASSED_OVER = new Set(
  'del moveFrom delText instrText delInstrText pPrChange rPrChange sectPrChange tblPrChange tblPrExChange tblGridChange trPrChange tcPrChange'.split(
    ' ',
  ),
);
const HEADING = /^(?:heading|titre) ?([1-9])$/i;
const TITLE = /^(?:title|titre)$/i;
const CONTENTS = /^(?:toc|tm) ?\d$/i;
/** Longer chains of styles are made, not written. */
const MAX_STYLES = 20;

/**
 * The blocks of a document or of its notes, in order. Deleted revisions, tables of contents, hidden text, pictures and drawings are left out;
 * a text box, and the words of a diagram as a list, come before the paragraph that holds them. `hasInserted`: whole files were embedded by
 * another program, and are not read. Notes are marked `[^n]`; those of a notes part are in `notes`.
 */
export function readBody(
  xml: string,
  parts: WordParts,
): { blocks: Block[]; notes: Map<string, string>; hasInserted: boolean } {
  const reader = new BodyReader(parts);
  readXml(xml, reader);
  return { blocks: reader.blocks, notes: reader.notes, hasInserted: reader.hasInserted };
}

class BodyReader {
  blocks: Block[] = [];
  readonly notes = new Map<string, string>();
  hasInserted = false;
  readonly #diagrams = new Set<string>();
  readonly #parts: WordParts;
  readonly #outer: Block[][] = [];
  readonly #tables: Table[] = [];
  readonly #paragraphs: Paragraph[] = [];
  readonly #links: (string | null)[] = [];
  #run: Run | null = null;
  readonly #runs: (Run | null)[] = [];
  #inText = false;
  #passed = 0;

  constructor(parts: WordParts) {
    this.#parts = parts;
  }

  open(name: string, tag: SaxesTagNS): void {
    // `Fallback` says again, for old programs, what its `Choice` says.
    if (this.#passed > 0 || PASSED_OVER.has(name) || tag.local === 'Fallback') {
      this.#passed += 1;
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    if (isMath(tag)) this.#openMath(tag.local);
    else if (isDiagram(tag)) this.#sayDiagram(attribute(tag, 'dm') ?? '');
    else if (name === 'altChunk') this.hasInserted = true;
    else if (name === 'p') this.#beginParagraph();
    else if (name === 'tbl') this.#tables.push({ rows: [], span: 1 });
    else if (name === 'tr') this.#tables.at(-1)?.rows.push([]);
    else if (name === 'tc' || name === 'footnote' || name === 'endnote') this.#enter();
    else if (name === 'gridSpan') this.#span(tag);
    else if (name === 'gridBefore') this.#begin(tag);
    else if (name === 'r') {
      this.#runs.push(this.#run);
      this.#run = { ...PLAIN_RUN };
    } else if (name === 'hyperlink') this.#links.push(this.#address(attribute(tag, 'id')));
    else if (this.#run) this.#inRun(name, tag, this.#run);
    else if (paragraph) inParagraph(name, tag, paragraph);
  }

  close(name: string, tag: SaxesTagNS): void {
    if (this.#passed > 0) {
      this.#passed -= 1;
      return;
    }
    if (isMath(tag)) this.#closeMath(tag.local);
    else if (name === 'p') this.#endParagraph();
    else if (name === 'r') this.#run = this.#runs.pop() ?? null;
    else if (name === 't') this.#inText = false;
    else if (name === 'hyperlink') this.#links.pop();
    else if (name === 'tc') this.#endCell();
    else if (name === 'footnote' || name === 'endnote')
      this.notes.set(`${name}:${attribute(tag, 'id')}`, this.#leave(' '));
    else if (name === 'tbl') this.#endTable();
  }

  text(text: string): void {
    if (this.#inText && this.#passed === 0) this.#say(text);
  }

  #inRun(name: string, tag: SaxesTagNS, run: Run): void {
    if (name === 't') this.#inText = true;
    else if (name === 'b') run.bold = isOn(tag);
    else if (name === 'i') run.italic = isOn(tag);
    else if (name === 'vanish') run.hidden = isOn(tag);
    else if (name === 'vertAlign') run.place = PLACES.get(attribute(tag, 'val') ?? '') ?? null;
    else if (name === 'tab' || name === 'ptab') this.#say(' ');
    else if (name === 'sym') this.#say(signOf(attribute(tag, 'char') ?? ''));
    else if (name === 'cr') this.#say('\n');
    else if (name === 'br') this.#say(attribute(tag, 'type') ? ' ' : '\n');
    else if (name === 'noBreakHyphen') this.#say('-');
    else if (name === 'footnoteReference' || name === 'endnoteReference')
      this.#say(`[^${name === 'endnoteReference' ? 'fin-' : ''}${attribute(tag, 'id')}]`);
  }

  /** A formula, on one line. */
  #openMath(name: string): void {
    if (name === 't') this.#inText = true;
    else if (name === 'r') {
      this.#runs.push(this.#run);
      this.#run = { ...PLAIN_RUN, isMath: true };
    } else this.#sayMath(beforeMath(name));
  }

  #closeMath(name: string): void {
    if (name === 't') this.#inText = false;
    else if (name === 'r') this.#run = this.#runs.pop() ?? null;
    else this.#sayMath(afterMath(name));
  }

  #sayMath(sign: string): void {
    const around = this.#run;
    this.#run = { ...PLAIN_RUN, isMath: true };
    this.#say(sign);
    this.#run = around;
  }

  #say(said: string): void {
    const run = this.#run;
    const pieces = this.#paragraphs.at(-1)?.pieces;
    if (!run || run.hidden || !pieces || said === '') return;
    const text = run.place === null ? said : inPlainText(said, run.place);
    const link = this.#links.at(-1) ?? null;
    const last = pieces.at(-1);
    const bold = run.bold && !run.isMath;
    const italic = run.italic && !run.isMath;
    if (last && last.bold === bold && last.italic === italic && last.link === link) last.text += text;
    else pieces.push({ text, bold, italic, link });
  }

  /** Each is said once: nobody shows the same twice. */
  #sayDiagram(id: string): void {
    if (!this.#parts.diagram || this.#diagrams.has(id)) return;
    this.#diagrams.add(id);
    for (const text of this.#parts.diagram(id))
      this.blocks.push({ kind: 'item', level: 0, list: `diagram:${id}`, counted: false, text });
  }

  #enter(): void {
    this.#outer.push(this.blocks);
    this.blocks = [];
  }

  /** What a cell or a note says, on one line. */
  #leave(between: string): string {
    const said = this.blocks
      .map((block) => (block.kind === 'table' ? block.rows.flat().join(between) : block.text))
      .join(between);
    this.blocks = this.#outer.pop() ?? [];
    return said.replace(/\s+/g, ' ').trim();
  }

  #span(tag: SaxesTagNS): void {
    const table = this.#tables.at(-1);
    if (table) table.span = Math.min(Number(attribute(tag, 'val')) || 1, 64);
  }

  /** A row may begin in a later column. */
  #begin(tag: SaxesTagNS): void {
    const row = this.#tables.at(-1)?.rows.at(-1);
    for (let left = Math.min(Number(attribute(tag, 'val')) || 0, 64); left > 0; left--) row?.push('');
  }

  /** A cell over several columns says what it says in the first of them. */
  #endCell(): void {
    const said = this.#leave(' ');
    const table = this.#tables.at(-1);
    if (!table) return;
    table.rows.at(-1)?.push(said);
    for (; table.span > 1; table.span--) table.rows.at(-1)?.push('');
  }

  #endTable(): void {
    const rows = (this.#tables.pop()?.rows ?? []).filter((cells) => cells.some((cell) => cell !== ''));
    if (rows.length > 0) this.blocks.push({ kind: 'table', rows });
  }

  /** That of a text box stands in a run: what it says of itself is no property of that run. */
  #beginParagraph(): void {
    this.#runs.push(this.#run);
    this.#run = null;
    this.#paragraphs.push({ style: '', pieces: [] });
  }

  #endParagraph(): void {
    this.#run = this.#runs.pop() ?? null;
    const paragraph = this.#paragraphs.pop();
    if (!paragraph) return;
    const styles = this.#chain(paragraph.style);
    if (styles.some(({ name }) => CONTENTS.test(name))) return;
    const isTitle = styles.some(({ name }) => TITLE.test(name));
    const level = paragraph.outline ?? headingOf(styles);
    const isHeading = level !== undefined && level < 9;
    const text = written(paragraph.pieces, !isTitle && !isHeading);
    if (text === '') return;
    const numId = paragraph.numId ?? styles.find((style) => style.numId !== undefined)?.numId;
    const at = paragraph.level ?? styles.find((style) => style.level !== undefined)?.level ?? 0;
    if (isTitle) this.blocks.push({ kind: 'title', text: text.replaceAll('\n', ' ') });
    else if (isHeading)
      this.blocks.push({ kind: 'heading', level: level + 1, text: text.replaceAll('\n', ' ') });
    else if (numId !== undefined && numId !== '0') {
      const counted = this.#parts.counted.get(`${numId}:${at}`) ?? false;
      this.blocks.push({ kind: 'item', level: Math.min(at, 8), list: numId, counted, text });
    } else this.blocks.push({ kind: 'paragraph', text });
  }

  #chain(style: string): WordStyle[] {
    const chain: WordStyle[] = [];
    for (let id: string | undefined = style; id && chain.length < MAX_STYLES; ) {
      const found = this.#parts.styles.get(id);
      if (!found) break;
      chain.push(found);
      id = found.basedOn;
    }
    return chain;
  }

  #address(id: string | undefined): string | null {
    const relation = id === undefined ? undefined : this.#parts.relations.get(id);
    if (!relation?.external || !/^(https?:\/\/|mailto:)\S{1,2000}$/i.test(relation.target)) return null;
    return relation.target.replaceAll(')', '%29');
  }
}

const PLACES = new Map<string, 'raised' | 'lowered'>([
  ['superscript', 'raised'],
  ['subscript', 'lowered'],
]);

const MATH = /\/math$/;
const isMath = (tag: SaxesTagNS): boolean => MATH.test(tag.uri);
const DIAGRAM = /\/diagram$/;
const isDiagram = (tag: SaxesTagNS): boolean => tag.local === 'relIds' && DIAGRAM.test(tag.uri);

function inParagraph(name: string, tag: SaxesTagNS, paragraph: Paragraph): void {
  const value = attribute(tag, 'val') ?? '';
  if (name === 'pStyle') paragraph.style = value;
  else if (name === 'numId') paragraph.numId = value;
  else if (name === 'ilvl') paragraph.level = Number(value);
  else if (name === 'outlineLvl') paragraph.outline = Number(value);
}

/** The level that the nearest style of the chain says, from 0. */
function headingOf(styles: readonly WordStyle[]): number | undefined {
  for (const { name, outline } of styles) {
    const named = HEADING.exec(name)?.[1];
    if (named) return Number(named) - 1;
    if (outline !== undefined) return outline;
  }
  return undefined;
}

/** The pieces as Markdown; a heading is bold already, so that its marks are left out. */
function written(pieces: readonly Piece[], marked: boolean): string {
  let text = '';
  for (const piece of pieces) {
    // No pattern: it would begin anew at each space of a long run.
    const inner = piece.text.trim();
    const start = piece.text.length - piece.text.trimStart().length;
    const [before, after] = [piece.text.slice(0, start), piece.text.slice(start + inner.length)];
    if (inner === '') {
      text += piece.text;
      continue;
    }
    const mark = marked ? `${piece.bold ? '**' : ''}${piece.italic ? '*' : ''}` : '';
    const close = [...mark].reverse().join('');
    const said = `${mark}${inner}${close}`;
    text += `${before}${piece.link ? `[${said}](${piece.link})` : said}${after}`;
  }
  return wholeWords(text)
    .split('\n')
    .map((line) => line.replace(/[ \t]{2,}/g, ' ').trim())
    .join('\n')
    .trim();
}
