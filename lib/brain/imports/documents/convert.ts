import { cleanTitle } from '#lib/brain/text/titles.ts';
import { storable } from '#lib/core/input/storable-text.ts';
import { declaredCharset, readText } from '../parse/text.ts';
import type { Converted, Parsed, UploadedFile } from '../parse/types.ts';
import { readNotionPage } from './notion.ts';

const WORD = /\.docx$/i;
const HTML = /\.html?$/i;
const CSV = /\.[ct]sv$/i;
const PDF = /\.pdf$/i;
const MARKDOWN = /\.(md|mdx|markdown|txt)$/i;

/** Documents of programs that save as Word too. */
const OTHER_DOCUMENT = /\.(doc|dot|docm|dotx|odt|rtf|pages|wps|wpd)$/i;

/** What programs of tables and of presentations save: each of them saves as what is read too. */
const OTHER_TABLE = /\.(xlsx|xlsm|xlsb|xls|ods|numbers)$/i;
const PRESENTATION = /\.(pptx|ppt|ppsx|odp|key)$/i;
/** What Safari, Chrome and mail programs save of a page or of a message, unless asked for another format. */
const WHOLE_PAGE = /\.(webarchive|mhtml?)$/i;
const MESSAGE = /\.(eml|msg)$/i;
/** Archives in an archive, and those that are no zip. */
const ARCHIVE = /\.(zip|rar|7z|tar|tgz|gz)$/i;

/** Whether this file is a text that `convert` reads, by its name. */
export function isDocument(name: string): boolean {
  return [WORD, HTML, CSV, PDF, MARKDOWN].some((kind) => kind.test(name));
}

/** Whether this file may be the export of a Space, by its name. */
export function isJson(name: string): boolean {
  return /\.json$/i.test(name);
}

/** Why a file of another kind is not read, in French. */
export function unsupported(name: string): string {
  if (OTHER_DOCUMENT.test(name))
    return 'Enregistrez ce document au format Word (.docx), puis importez-le de nouveau.';
  if (OTHER_TABLE.test(name))
    return 'Enregistrez chaque feuille de ce classeur au format CSV, puis importez-les.';
  if (PRESENTATION.test(name)) return 'Enregistrez cette présentation au format PDF, puis importez-la.';
  if (WHOLE_PAGE.test(name)) return 'Enregistrez cette page au format HTML ou PDF, puis importez-la.';
  if (MESSAGE.test(name)) return 'Enregistrez ce message au format PDF ou texte, puis importez-le.';
  if (ARCHIVE.test(name)) return 'Décompressez cette archive, puis importez ce qu’elle contient.';
  return 'Ce type de fichier n’est pas pris en charge.';
}

/**
 * A Word document, a saved page, a table or a PDF as text, by its name; null for Markdown and plain text, unless Notion wrote them. Refuses,
 * in French, what its reader refuses. `leftOut`: what is not in the text, in French sentences. Each reader is loaded on first use.
 */
export async function convert(
  file: UploadedFile,
): Promise<Parsed<{ converted: Converted | null; leftOut: readonly string[] }>> {
  const { name, bytes, notion } = file;
  const done = (
    text: string,
    title: string | null,
    more: Partial<Converted> = {},
    leftOut: readonly string[] = [],
  ) => ({
    ok: true as const,
    leftOut,
    converted: {
      text: storable(text),
      title: title === null ? null : storable(title),
      plain: false,
      onlyLinks: false,
      ...more,
    },
  });
  if (WORD.test(name)) {
    const { parseDocx } = await import('./docx.ts');
    const read = await parseDocx(bytes);
    return read.ok ? done(read.text, read.title ?? titleOfFile(name), {}, read.leftOut) : read;
  }
  if (PDF.test(name)) {
    const { parsePdf } = await import('../parse/pdf.ts');
    const read = await parsePdf({ name: baseName(name), bytes });
    return read.ok ? done(read.text, read.title, { plain: true }) : read;
  }
  if (!HTML.test(name) && !CSV.test(name) && !notion) return { ok: true, converted: null, leftOut: [] };
  const decoded = readText(bytes, HTML.test(name) ? declaredCharset(bytes) : undefined);
  if (!decoded.ok) return decoded;
  if (CSV.test(name)) {
    const { parseCsv } = await import('./csv.ts');
    const read = parseCsv(decoded.text);
    return read.ok ? done(read.text, titleOfFile(name), {}, read.leftOut) : read;
  }
  if (HTML.test(name)) {
    const { parseHtmlFile } = await import('./html-file.ts');
    const read = parseHtmlFile(decoded.text);
    return read.ok ? done(read.text, read.title ?? titleOfFile(name)) : read;
  }
  const { text, onlyLinks } = readNotionPage(decoded.text);
  return done(text, null, { onlyLinks });
}

/** The name as its writer typed it: hyphens and numbers of a title are no separators of a program. */
function titleOfFile(name: string): string {
  return cleanTitle(
    baseName(name)
      .replace(/\.[a-z]{2,5}$/i, '')
      .replaceAll('_', ' '),
  );
}

/** The last part of a path within an archive or a form. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
