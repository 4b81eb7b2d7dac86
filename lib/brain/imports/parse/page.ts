import { storable } from '#lib/core/input/storable-text.ts';
import type { PillarRole } from '../../templates.ts';
import { cleanTitle } from '../../text/titles.ts';
import { parseMarkdownFile } from './markdown-file.ts';
import { parsePdf } from './pdf.ts';
import { declaredCharset, readText } from './text.ts';
import type { MemoryDraft, Parsed } from './types.ts';

/** What an address answered. */
export type FetchedPage = {
  bytes: Uint8Array;
  contentType: string;
  charset: string | undefined;
  finalUrl: string;
};

/**
 * The Memories of a web page (HTML, plain text or PDF): the page, and its parts when it is long. What it says of itself is only text: neither
 * pillar, nor identity, nor dates. Refuses a page without text.
 */
export async function parsePage(
  page: FetchedPage,
  pillar: PillarRole,
): Promise<Parsed<{ drafts: MemoryDraft[] }>> {
  const read = await textOf(page);
  if (!read.ok) return read;
  const path = addressOf(page);
  const text = storable(read.text);
  // Its title is given: a heading that says something else stays in the text.
  const converted = { text, title: read.title, plain: false, onlyLinks: false };
  const parsed = parseMarkdownFile({ path, text, pillar, converted });
  if (!parsed.ok) return parsed;
  const drafts = parsed.drafts.map(
    (draft, index): MemoryDraft => ({
      ...draft,
      pillar,
      kind: 'PAGE',
      title: index === 0 ? read.title : draft.title,
      source: null,
      id: null,
      file: null,
      createdAt: null,
      updatedAt: null,
    }),
  );
  return { ok: true, drafts };
}

/** Where the page was found, without its fragment. */
export function addressOf({ finalUrl }: Pick<FetchedPage, 'finalUrl'>): string {
  const url = new URL(finalUrl);
  url.hash = '';
  return url.href;
}

async function textOf(page: FetchedPage): Promise<Parsed<{ title: string; text: string }>> {
  const { pathname, hostname } = new URL(page.finalUrl);
  const name = decodeName(pathname.split('/').findLast((part) => part !== '') ?? hostname);
  if (page.contentType === 'application/pdf') return parsePdf({ name, bytes: page.bytes });
  const text = decode(page);
  if (page.contentType.startsWith('text/') && page.contentType !== 'text/html')
    return text.trim() === ''
      ? { ok: false, reason: 'Cette page ne contient aucun texte lisible.' }
      : { ok: true, title: cleanTitle(name), text };
  const { parseHtmlPage } = await import('./html.ts');
  return parseHtmlPage({ html: text, url: page.finalUrl });
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** By the charset that the site, or the page's own head, declares; else UTF-8, or what older programs save. */
function decode({ bytes, charset }: FetchedPage): string {
  const declared = charset ?? declaredCharset(bytes);
  const read = declared === undefined ? readText(bytes) : null;
  if (read?.ok) return read.text;
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
