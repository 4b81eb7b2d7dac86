import { withoutAddresses } from '#lib/brain/text/headings.ts';
import { cleanTitle } from '#lib/brain/text/titles.ts';
import type { Parsed } from '../parse/types.ts';
import { readZip, type ZipEntry, type ZipLimits } from '../parse/zip.ts';
import { type Block, readBody } from './docx-body.ts';
import {
  BadPart,
  type Relation,
  readDiagram,
  readNumbering,
  readRelations,
  readStyles,
} from './docx-parts.ts';
import { tableOf } from './table.ts';

/** Of the parts that hold text; pictures are never inflated. */
const LIMITS: ZipLimits = {
  maxEntries: 10_000,
  maxEntryBytes: 32 * 1024 * 1024,
  maxTotalBytes: 48 * 1024 * 1024,
};

/** The first bytes of what Word writes behind a password, and of its format before 2007. */
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const BROKEN = { ok: false as const, reason: 'Ce document Word est abîmé.' };
const TEXT_PART = /\.(xml|rels)$/i;

/**
 * The text of a Word document (.docx, of Word, Google Docs or LibreOffice) as Markdown, and its title: the paragraph of style Title, else its
 * only heading of level 1, else null. Keeps headings, lists, tables, bold, italics, links, notes and the words of diagrams (SmartArt), not
 * pictures, comments, headers and footers. `leftOut` names, in French, text that could not be read. Refuses, in French, any other file, one
 * with a password, a damaged or empty one, or one that inflates beyond the limits. Never opens what a document points to.
 */
export async function parseDocx(
  bytes: Uint8Array,
): Promise<Parsed<{ title: string | null; text: string; leftOut?: readonly string[] }>> {
  if (Buffer.from(bytes.subarray(0, 4)).equals(COMPOUND))
    return {
      ok: false,
      reason: 'Ce document Word est protégé par un mot de passe, ou d’un ancien format.',
    };
  const zip = await readZip(bytes, LIMITS, (path) => TEXT_PART.test(path));
  if (!zip.ok) return { ok: false, reason: docxReason(zip.reason) };
  try {
    const read = blocksOf(zip.entries);
    if (!read) return { ok: false, reason: 'Ce fichier n’est pas un document Word.' };
    const { blocks, leftOut } = read;
    const text = markdownOf(blocks);
    if (text === '') return { ok: false, reason: leftOut[0] ?? 'Ce document Word ne contient pas de texte.' };
    return { ok: true, title: titleOf(blocks), text, ...(leftOut.length > 0 ? { leftOut } : {}) };
  } catch (error) {
    if (error instanceof BadPart) return BROKEN;
    throw error;
  }
}

function docxReason(reason: string): string {
  if (reason.includes('pas une archive')) return 'Ce fichier n’est pas un document Word.';
  return reason.includes('dépasse')
    ? 'Ce document Word contient plus que la taille acceptée.'
    : BROKEN.reason;
}

const INSERTED =
  'Un document inséré dans celui-ci n’a pas été lu\u00a0: ouvrez-le dans Word, enregistrez-le de nouveau, puis importez-le.';
const UNREAD_DIAGRAM = 'Un schéma (SmartArt) n’a pas pu être lu.';

function blocksOf(entries: readonly ZipEntry[]): { blocks: Block[]; leftOut: string[] } | null {
  const parts = new Map(entries.map(({ path, bytes }) => [path, bytes]));
  const xml = (path: string) => {
    const part = parts.get(path);
    return part ? decode(part) : null;
  };
  const root = readRelations(xml('_rels/.rels') ?? '<none/>');
  const main =
    [...root.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml';
  const path = main.replace(/^\//, '');
  const body = xml(path);
  if (body === null) return null;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relationsOf = (part: string): Map<string, Relation> =>
    readRelations(xml(`${folder}_rels/${part}.rels`) ?? '<none/>');
  const relations = relationsOf(path.slice(folder.length));
  const partOf = (relation: Relation | undefined) => {
    if (!relation?.target || relation.external) return null;
    return xml(relation.target.startsWith('/') ? relation.target.slice(1) : folder + relation.target);
  };
  const related = (type: string) =>
    partOf([...relations.values()].find((one) => one.type === type && !one.external));
  const leftOut = new Set<string>();
  /** A diagram is written in a part of its own, which may be damaged without the rest. */
  const diagram = (id: string): string[] => {
    try {
      const part = partOf(relations.get(id));
      if (part !== null) return readDiagram(part);
    } catch (error) {
      if (!(error instanceof BadPart)) throw error;
    }
    leftOut.add(UNREAD_DIAGRAM);
    return [];
  };
  const shared = {
    styles: readStyles(related('styles') ?? '<none/>'),
    counted: readNumbering(related('numbering') ?? '<none/>'),
  };
  const { blocks, hasInserted } = readBody(body, { ...shared, relations, diagram });
  if (hasInserted) leftOut.add(INSERTED);
  for (const kind of ['footnote', 'endnote'] as const) {
    const notes = related(`${kind}s`);
    if (notes === null) continue;
    const links = relationsOf(`${kind}s.xml`);
    for (const [key, said] of readBody(notes, { ...shared, relations: links }).notes) {
      const mark = `[^${kind === 'endnote' ? 'fin-' : ''}${key.slice(key.indexOf(':') + 1)}]`;
      if (said !== '') blocks.push({ kind: 'paragraph', text: `${mark}: ${said}` });
    }
  }
  return { blocks, leftOut: [...leftOut] };
}

function decode(bytes: Uint8Array): string {
  try {
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const label = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new BadPart();
  }
}

function titleOf(blocks: readonly Block[]): string | null {
  const title = blocks.find(({ kind }) => kind === 'title');
  const tops = blocks.filter((block) => block.kind === 'heading' && block.level === 1);
  const found = title ?? (tops.length === 1 ? tops[0] : undefined);
  if (!found || !('text' in found)) return null;
  return cleanTitle(withoutAddresses(found.text.replace(/\[\^[^\]]*\]/g, '')));
}

function markdownOf(blocks: readonly Block[]): string {
  // Under a title, the first headings are its parts.
  const down = blocks.some(({ kind }) => kind === 'title') ? 1 : 0;
  const lists = new ListWriter();
  let text = '';
  let wasItem = false;
  for (const block of blocks) {
    const isItem = block.kind === 'item';
    if (text !== '') text += isItem && wasItem ? '\n' : '\n\n';
    if (block.kind === 'item') text += lists.line(block);
    else if (block.kind === 'table') text += tableOf(block.rows);
    else if (block.kind === 'title') text += `# ${block.text}`;
    else if (block.kind === 'heading') text += `${'#'.repeat(Math.min(6, block.level + down))} ${block.text}`;
    else text += block.text;
    if (!isItem) lists.end();
    wasItem = isItem;
  }
  return text;
}

/** Lines of lists: numbers go on through a list, whatever stands between its items, as in Word. */
class ListWriter {
  readonly #counts = new Map<string, number>();
  #widths: number[] = [];

  end(): void {
    this.#widths = [];
  }

  line({ level, list, counted, text }: Block & { kind: 'item' }): string {
    let mark = '- ';
    if (counted) {
      const count = (this.#counts.get(`${list}:${level}`) ?? 0) + 1;
      this.#counts.set(`${list}:${level}`, count);
      mark = `${count}. `;
    }
    for (let deeper = level + 1; deeper <= 8; deeper++) this.#counts.delete(`${list}:${deeper}`);
    const before = this.#widths.slice(0, level);
    // Nothing above it: a first item stands at the edge, however deep its program put it.
    const indent = ' '.repeat(before.reduce((sum, width) => sum + width, 0));
    this.#widths = [...before, mark.length];
    return `${indent}${mark}${text.replaceAll('\n', `\n${indent}${' '.repeat(mark.length)}`)}`;
  }
}
