import { bytes } from '#app/_ui/format.ts';

/** In bytes: what a server action accepts (`bodySizeLimit` in next.config.ts), less what a form adds to a text. */
export const MOST_SENT_BYTES = 5 * 1024 * 1024 - 64 * 1024;
/** The largest size of a UTF-16 code unit in UTF-8; a line end, which is sent as two bytes, takes less. */
const UNIT_BYTES = 3;

/**
 * Why a form cannot send a text, with the figures; undefined if it can. Beyond the limit the framework gives no readable answer, and the form would
 * report a lost network.
 */
export function tooLarge(text: string): string | undefined {
  if (text.length * UNIT_BYTES <= MOST_SENT_BYTES) return undefined;
  const size = new TextEncoder().encode(text.replace(/\r\n?|\n/g, '\r\n')).length;
  if (size <= MOST_SENT_BYTES) return undefined;
  return `Ce texte pèse ${bytes(size)}, et ce formulaire n’en envoie pas plus de ${bytes(MOST_SENT_BYTES)}. Il est toujours là\u00a0: importez-le comme document, ou divisez-le.`;
}
