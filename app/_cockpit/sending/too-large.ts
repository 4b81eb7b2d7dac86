import { bytes } from '#app/_ui/format.ts';

/** What a server action takes (`bodySizeLimit` in next.config.ts), less what a form adds around a text. */
export const MOST_SENT_BYTES = 5 * 1024 * 1024 - 64 * 1024;
/** Of one UTF-16 code unit at most, in UTF-8; a line end, sent as two, is less. */
const UNIT_BYTES = 3;

/**
 * Why a text cannot be sent by a form, with the figures; undefined when it can. Past its limit the framework answers nothing that a page could
 * read, and the form would tell of a lost network.
 */
export function tooLarge(text: string): string | undefined {
  if (text.length * UNIT_BYTES <= MOST_SENT_BYTES) return undefined;
  const size = new TextEncoder().encode(text.replace(/\r\n?|\n/g, '\r\n')).length;
  if (size <= MOST_SENT_BYTES) return undefined;
  return `Ce texte pèse ${bytes(size)}, et ce formulaire n’en envoie pas plus de ${bytes(MOST_SENT_BYTES)}. Il est toujours là\u00a0: importez-le comme document, ou divisez-le.`;
}
