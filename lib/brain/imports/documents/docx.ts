import { withoutAddresses } from '#lib/brain/text/headings.ts';
import { cleanTitle } from '#lib/brain/text/titles.ts';
import type { Parsed } from '../parse/types.ts';
import { readZip, type ZipEntry, type ZipLimits } from '../parse/zip.ts';
import { type Block, readBody } from './docx-body.ts';
import { BadPart, type Relation, readNumbering, readRelations, readStyles } from './docx-parts.ts';
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
 * The text of a Word document (.docx, of Word, Google Docs or LibreOffice) as Markdown, and its title: the paragraph of style Title, else its only heading of level 1, else null.
 * Headings, lists, tables, bold, italics, links and notes stay; pictures, comments, headers and footers do not. Refuses, in French, what is no such document, is behind a password, is damaged, holds no
 * text, or inflates to more than the limits. Nothing that a document points to is ever opened.
 */
export async function parseDocx(bytes: Uint8Array): Promise<Parsed<{ title: string | null; text: string }>> {
  if (Buffer.from(bytes.subarray(0, 4)).equals(COMPOUND))
    return {
      ok: false,
      reason: 'Ce document Word est protégé par un mot de passe, ou d’un ancien format.',
    };
  const zip = await readZip(bytes, LIMITS, (path) => TEXT_PART.test(path));
  if (!zip.ok) return { ok: false, reason: docxReason(zip.reason) };
  try {
    const blocks = blocksOf(zip.entries);
    if (!blocks) return { ok: false, reason: 'Ce fichier n’est pas un document Word.' };
    const text = markdownOf(blocks);
    return text === ''
      ? { ok: false, reason: 'Ce document Word ne contient pas de texte.' }
      : { ok: true, title: titleOf(blocks), text };
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

function blocksOf(entries: readonly ZipEntry[]): Block[] | null {
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
  const related = (type: string) => {
    const target = [...relations.values()].find((one) => one.type === type && !one.external)?.target;
    if (!target) return null;
    return xml(target.startsWith('/') ? target.slice(1) : folder + target);
  };
  const shared = {
    styles: readStyles(related('styles') ?? '<none/>'),
    counted: readNumbering(related('numbering') ?? '<none/>'),
  };
  const { blocks } = readBody(body, { ...shared, relations });
  for (const kind of ['footnote', 'endnote'] as const) {
    const notes = related(`${kind}s`);
    if (notes === null) continue;
    const links = relationsOf(`${kind}s.xml`);
    for (const [key, said] of readBody(notes, { ...shared, relations: links }).notes) {
      const mark = `[^${kind === 'endnote' ? 'fin-' : ''}${key.slice(key.indexOf(':') + 1)}]`;
      if (said !== '') blocks.push({ kind: 'paragraph', text: `${mark}: ${said}` });
    }
  }
  return blocks;
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
