import { ServiceError } from '#lib/core/errors.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { type SafeFetch, safeFetch } from '#lib/core/net/safe-fetch.ts';
import type { PillarRole } from '../templates.ts';
import { readPageInChild } from './child-process/read-in-child.ts';
import { addressOf } from './parse/page.ts';
import type { MemoryDraft } from './parse/types.ts';

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
  input: { accountId: string; url: string; pillar: PillarRole },
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
  // It becomes the origin of each Memory, which an index holds: encoded, or redirected, it may have grown.
  const label = addressOf(page);
  if (label.length > MAX_ADDRESS) throw refuse('L’adresse de cette page est trop longue.');
  const { accountId, pillar } = input;
  const read = await readPageInChild({ ...page, accountId, charset: page.charset ?? undefined }, pillar);
  if (!read.ok) throw refuse(read.reason);
  return { drafts: read.drafts, label };
}
