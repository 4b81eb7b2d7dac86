import { ServiceError } from '#lib/core/errors.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { type SafeFetch, safeFetch } from '#lib/core/net/safe-fetch.ts';
import type { PillarRole } from '../templates.ts';
import { cleanTitle } from '../text/titles.ts';
import { parseHtmlPage } from './parse/html.ts';
import { parseMarkdownFile } from './parse/markdown-file.ts';
import { parsePdf } from './parse/pdf.ts';
import type { MemoryDraft, Parsed } from './parse/types.ts';

const ACCEPT = ['text/html', 'application/xhtml+xml', 'text/plain', 'text/markdown', 'application/pdf'];
const MAX_PAGE_BYTES = 8 * 1024 * 1024;
const MAX_ADDRESS = 2_000;

/** A refusal about the address, whose sentence says that nothing was imported. */
function refuse(reason: string): ServiceError {
  const message = `${reason} Rien n’a été importé.`;
  return new ServiceError('invalid_request', { message, problems: [{ field: 'url', message }] });
}

/**
 * The text of a web page as drafts: the page, and its parts when it is long. https and public addresses only, redirects checked one by
 * one, 8 MB, 20 s. Errors: `invalid_request` about `url`, with the reason in French; nothing is written.
 */
export async function readPage(
  input: { url: string; pillar: PillarRole },
  fetchPage: SafeFetch = safeFetch,
): Promise<{ drafts: MemoryDraft[]; label: string }> {
  const address = input.url.trim();
  if (address === '' || address.length > MAX_ADDRESS || !URL.canParse(address))
    throw refuse('Donnez une adresse complète, par exemple https://exemple.fr/a-propos.');
  const page = await fetchPage(address, { accept: ACCEPT, maxBytes: MAX_PAGE_BYTES }).catch(
    (error: unknown) => {
      if (!(error instanceof FetchRefusal)) throw error;
      if (error.reason === 'host-not-allowed')
        throw refuse('Cette adresse n’est pas celle d’un site public.');
      if (error.reason === 'too-large') throw refuse('Cette page est trop lourde.');
      if (error.detail === 'content-type') throw refuse('Cette adresse ne mène pas à une page de texte.');
      if (error.reason === 'bad-status' && error.status)
        throw refuse(`Le site a répondu par une erreur (${error.status}).`);
      throw refuse(error.message);
    },
  );
  const read = await textOf(page);
  if (!read.ok) throw refuse(read.reason);
  const url = new URL(page.finalUrl);
  url.hash = '';
  const label = url.href;
  const parsed = parseMarkdownFile({
    path: label,
    text: read.text.replaceAll('\0', '').toWellFormed(),
    pillar: input.pillar,
  });
  if (!parsed.ok) throw refuse(parsed.reason);
  const drafts = parsed.drafts.map(
    (draft, index): MemoryDraft => ({
      ...draft,
      // What a stranger's page says of itself is only text: neither pillar, nor identity, nor dates.
      pillar: input.pillar,
      kind: 'PAGE',
      title: index === 0 ? read.title : draft.title,
      source: null,
      id: null,
      file: null,
      createdAt: null,
      updatedAt: null,
    }),
  );
  return { drafts, label };
}

type Page = Awaited<ReturnType<SafeFetch>>;

async function textOf(page: Page): Promise<Parsed<{ title: string; text: string }>> {
  const { pathname, hostname } = new URL(page.finalUrl);
  const name = decodeURIComponent(pathname.split('/').findLast((part) => part !== '') ?? hostname);
  if (page.contentType === 'application/pdf') return parsePdf({ name, bytes: page.bytes });
  const text = decode(page);
  if (page.contentType.startsWith('text/') && page.contentType !== 'text/html')
    return text.trim() === ''
      ? { ok: false, reason: 'Cette page ne contient aucun texte lisible.' }
      : { ok: true, title: cleanTitle(name), text };
  return parseHtmlPage({ html: text, url: page.finalUrl });
}

/** By the charset that the site, or the page's own head, declares; UTF-8 otherwise. */
function decode({ bytes, charset }: Page): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const declared = charset ?? /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
  try {
    return new TextDecoder(declared ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
