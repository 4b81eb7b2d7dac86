import { MAX_MEMORY_REQUEST_BYTES } from '#lib/brain/limits.ts';
import { defaultKind, type MemoryKind, type PillarRole } from '#lib/brain/templates.ts';
import { withoutBlankStart } from '#lib/brain/text/blank-lines.ts';
import { headingsOf, linesOf } from '#lib/brain/text/headings.ts';
import { jsonBytes } from '#lib/brain/text/json-bytes.ts';
import { chunks, partTitle, splitMarkdown } from '#lib/brain/text/split-markdown.ts';
import { anchorOf, cleanTitle, isSaidByTitle, titleFromName } from '#lib/brain/text/titles.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { EMPTY_FILE } from './text.ts';
import type { Converted, MemoryDraft, Parsed } from './types.ts';

/** A file above this many bytes is split at its top-level headings: what a prompt can use is a section, not a book. */
const SPLIT_ABOVE_BYTES = 16_384;

/** Room kept beside the body for the rest of the request: title, pillar, parent. */
const ENVELOPE_BYTES = 4096;

type MarkdownFile = {
  /** Relative path, with `/`. */
  path: string;
  text: string;
  /** Limit of one Memory as a JSON request; 131,072 by default. */
  maxBytes?: number;
  /** Pillar when the front matter names none. */
  pillar: PillarRole;
  /** `text` is what another reader made of the file: no front matter, and the title that the document has, when it has one. */
  converted?: Converted | null | undefined;
};

/** `leftOut`: names of the fields of its front matter that none of them keeps. */
type ParsedFile = Parsed<{ drafts: MemoryDraft[]; leftOut: readonly string[] }>;

/**
 * The Memories of one Markdown (or MDX) file: the first is the file's own, the others are its parts, nested under it. Title: front matter,
 * else the first level-1 heading, else the file name. Where nothing else is said, the fields of the front matter are the body. A file that our
 * export wrote is taken to the byte and never split. Refuses an empty file, an unknown pillar, and an exported body above the limit.
 */
export function parseMarkdownFile(file: MarkdownFile): ParsedFile {
  const { fields, body } = file.converted
    ? { fields: { ...readFrontMatter('').fields, title: file.converted.title }, body: file.text }
    : readFrontMatter(file.text);
  if (fields.unknownPillar !== null) {
    return { ok: false, reason: `Le pilier « ${fields.unknownPillar} » n’existe pas.` };
  }
  const limit = (file.maxBytes ?? MAX_MEMORY_REQUEST_BYTES) - ENVELOPE_BYTES;
  const pillar = fields.pillar ?? file.pillar;
  if (fields.exported) return exportedMemory(file.path, fields, body, pillar, limit);

  const text = withoutPictures(withoutMdxCode(body, /\.mdx$/i.test(file.path)));
  const titled = takeTitle(text, fields.title, file.path);
  const lead = fields.lead.filter((one) => !titled.body.includes(one));
  const written = [...lead, titled.body].filter((one) => one !== '').join('\n\n');
  const saysNothing = written.trim() === '' && fields.title === null && titled.heading === null;
  // A note of fields alone is a record of a database.
  const said = saysNothing ? fields.items.join('\n') : written;
  const leftOut = saysNothing ? [] : fields.leftOut;
  if (saysNothing && said === '') return { ok: false, reason: EMPTY_FILE };
  const own = {
    ...draftOf(file.path, fields, pillar, fields.kind ?? fileKind(pillar)),
    title: titled.title,
  };
  if (jsonBytes(said) <= Math.min(SPLIT_ABOVE_BYTES, limit)) {
    return { ok: true, drafts: [{ ...own, body: orTitle(said, own.title) }], leftOut };
  }
  const { intro, parts } = splitMarkdown(said, limit);
  const anchors = new Map<string, number>();
  const drafts = parts.map((part) => {
    const key = `${file.path}#${freshAnchor(part.heading, anchors)}`;
    const title = partTitle(part, own.title);
    return {
      ...own,
      key,
      sourceRef: key,
      parentKey: own.key,
      depth: 1,
      title,
      body: orTitle(part.body, title),
    };
  });
  return { ok: true, drafts: [{ ...own, body: orTitle(intro, own.title) }, ...drafts], leftOut };
}

/** The Memories of a plain text file: one, or numbered parts when it is above the limit. */
export function parsePlainText(file: MarkdownFile): ParsedFile {
  if (file.text.trim() === '') return { ok: false, reason: EMPTY_FILE };
  const limit = (file.maxBytes ?? MAX_MEMORY_REQUEST_BYTES) - ENVELOPE_BYTES;
  const { fields } = readFrontMatter('');
  const own = {
    ...draftOf(file.path, fields, file.pillar, fileKind(file.pillar)),
    title: file.converted?.title ?? titleFromName(nameOf(file.path)),
  };
  const drafts = chunks(file.text, limit).map((body, i): MemoryDraft => {
    if (i === 0) return { ...own, body };
    const key = `${file.path}#${i + 1}`;
    const title = cleanTitle(`${own.title} (${i + 1})`);
    return { ...own, key, sourceRef: key, parentKey: own.key, depth: 1, title, body };
  });
  return { ok: true, drafts, leftOut: [] };
}

function exportedMemory(
  path: string,
  fields: FrontMatter,
  body: string,
  pillar: PillarRole,
  limit: number,
): ParsedFile {
  if (body === '') return { ok: false, reason: EMPTY_FILE };
  if (jsonBytes(body) > limit + ENVELOPE_BYTES) {
    return { ok: false, reason: 'Ce fichier dépasse la taille d’une mémoire.' };
  }
  const own = draftOf(path, fields, pillar, fields.kind ?? defaultKind(pillar));
  const title = fields.title ?? titleFromName(nameOf(path));
  return { ok: true, drafts: [{ ...own, title, body, sourceRef: fields.sourceRef }], leftOut: [] };
}

function draftOf(path: string, fields: FrontMatter, pillar: PillarRole, kind: MemoryKind): MemoryDraft {
  const { source, id, file, createdAt, updatedAt } = fields;
  return {
    key: path,
    parentKey: null,
    depth: 0,
    pillar,
    kind,
    title: '',
    body: '',
    source,
    sourceRef: path,
    id,
    file,
    createdAt,
    updatedAt,
  };
}

function fileKind(pillar: PillarRole): MemoryKind {
  const kind = defaultKind(pillar);
  return kind === 'NOTE' ? 'DOCUMENT' : kind;
}

/** The title, and the body without the heading that says it again. */
function takeTitle(
  text: string,
  given: string | null,
  path: string,
): { title: string; heading: string | null; body: string } {
  const trimmed = withoutBlankStart(text).trimEnd();
  const first = headingsOf(trimmed).find(({ level, text: words }) => level === 1 && words !== '');
  const heading = first?.text ?? null;
  const title = cleanTitle(given ?? heading ?? '', titleFromName(nameOf(path)));
  // A heading as long as a paragraph stays, for its title is only its beginning; so does one with a link, for its address.
  const opens = first?.start === 0 && isSaidByTitle(first) && cleanTitle(first.text) === title;
  return {
    title,
    heading,
    body: opens ? withoutBlankStart(trimmed.slice(first.end)) : trimmed,
  };
}

/** A Memory must say something: one that is only a heading says its heading. */
function orTitle(body: string, title: string): string {
  return body.trim() === '' ? title : body;
}

/** `base`, else `base-1`, `base-2`…: `taken` remembers the next number of each base, so that many namesakes stay cheap. */
function freshAnchor(heading: string, taken: Map<string, number>): string {
  const base = anchorOf(heading);
  let anchor = base;
  let next = taken.get(base) ?? 0;
  while (taken.has(anchor)) anchor = `${base}-${++next}`;
  taken.set(base, next);
  if (anchor !== base) taken.set(anchor, 0);
  return anchor;
}

/** Without the pictures that Google Docs writes into its Markdown, as text: their definitions at its foot, and where they stood. */
function withoutPictures(text: string): string {
  if (!text.includes('<data:image/')) return text;
  const defined = new Set<string>();
  let kept = '';
  for (const { line, start, end, code } of linesOf(text)) {
    const name = code ? undefined : /^\[(image\d{1,4})\]: <data:image\//.exec(line)?.[1];
    if (name) defined.add(name);
    else kept += text.slice(start, end);
  }
  return kept.replace(/!\[[^\]\n[]{0,500}\]\[(image\d{1,4})\]/g, (whole, name) =>
    defined.has(name) ? '' : whole,
  );
}

const MODULE_LINE =
  /^(import\s+(['"{*]|\w.*\sfrom\s)|export\s+(const|let|var|default|async|function|class|[{*]))/;

/** A longer line is no hand-written comment, and patterns on it would be slow. */
const MAX_COMMENT_LINE = 2000;

/** A comment of MDX alone on its line. */
const COMMENT_LINE = /^\s*\{\/\*.*\*\/\}\s*$/;

/**
 * Without MDX comments and, in an MDX file, without its module code (`import`, `export` up to the next blank line). Its elements
 * stay: they read as text. Code blocks are never touched.
 */
function withoutMdxCode(text: string, mdx: boolean): string {
  let kept = '';
  let inModule = false;
  for (const { line, start, end, code } of linesOf(text)) {
    if (mdx && !code && MODULE_LINE.test(line)) inModule = true;
    else if (inModule && line.trim() === '') inModule = false;
    if (inModule) continue;
    const comments = !code && line.length <= MAX_COMMENT_LINE && line.includes('{/*');
    if (comments && COMMENT_LINE.test(line)) continue;
    const whole = text.slice(start, end);
    kept += mdx && comments ? withoutComments(whole) : whole;
  }
  return kept;
}

/** Without what stands between `{/*` and its end; linear, where a pattern would look for an end from each beginning. */
function withoutComments(line: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const begin = line.indexOf('{/*', from);
    const end = begin === -1 ? -1 : line.indexOf('*/}', begin + 3);
    if (end === -1) return kept + line.slice(from);
    kept += line.slice(from, begin);
    from = end + 3;
  }
}

/** Last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
