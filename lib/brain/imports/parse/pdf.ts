import { cleanTitle, titleFromName } from '#lib/brain/text/titles.ts';
import { trimLines } from './text.ts';
import type { Parsed } from './types.ts';

/** More pages than this are refused: a book is better imported by chapters. */
const MAX_PAGES = 2000;

/**
 * The text of a PDF, a blank line between pages, and its title (its metadata, else its file name). Refuses, in French: what is not a PDF, one behind a
 * password, one without text (a scan), one of more than 2,000 pages. The reader is loaded on first use.
 */
export async function parsePdf(file: {
  name: string;
  bytes: Uint8Array;
}): Promise<Parsed<{ title: string; text: string }>> {
  const { extractText, getDocumentProxy, getMeta } = await import('unpdf');
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    // The reader takes its input away: give it a copy.
    document = await getDocumentProxy(Uint8Array.from(file.bytes), { verbosity: 0 });
  } catch (error) {
    return error instanceof Error && error.name === 'PasswordException'
      ? { ok: false, reason: 'Ce PDF est protégé par un mot de passe.' }
      : { ok: false, reason: 'Ce fichier n’est pas un PDF lisible.' };
  }
  try {
    if (document.numPages > MAX_PAGES) return { ok: false, reason: `Ce PDF dépasse ${MAX_PAGES} pages.` };
    const pages = (await extractText(document, { mergePages: false })).text;
    const text = pages
      .map((page) => trimLines(page.replaceAll('\0', '')))
      .filter((page) => page !== '')
      .join('\n\n');
    if (text === '') {
      return {
        ok: false,
        reason: 'Ce PDF ne contient pas de texte : c’est sans doute un document numérisé.',
      };
    }
    const { info } = await getMeta(document);
    const title = typeof info?.Title === 'string' ? info.Title : '';
    return { ok: true, title: cleanTitle(title, titleFromName(file.name)), text };
  } catch {
    return { ok: false, reason: 'Ce fichier n’est pas un PDF lisible.' };
  } finally {
    await document.loadingTask.destroy();
  }
}
