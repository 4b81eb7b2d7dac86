import { duration } from '#app/_ui/format.ts';
import { KEEP_REASON_LABELS } from '#lib/messages/storage.ts';
import type { GenerationFile } from '#lib/storage/assets/read-generation-files.ts';

export type ShownFileRetention = Pick<
  GenerationFile,
  'id' | 'generationId' | 'state' | 'reviewReason' | 'lasting' | 'expiresAt' | 'reviews' | 'type'
>;

const DAY_MS = 86_400_000;

/** How long a file is kept, in a few words; `soon` if it expires within six days. */
export function retentionWords(
  file: ShownFileRetention,
  nowMs: number,
): { text: string; short: string; soon: boolean; reason: string } {
  if (file.lasting || !file.expiresAt) {
    const reason = file.lasting ? KEEP_REASON_LABELS[file.lasting] : KEEP_REASON_LABELS.recent;
    return { text: 'gardé', short: 'gardé', soon: false, reason };
  }
  const left = new Date(file.expiresAt).getTime() - nowMs;
  if (left <= 0)
    return {
      text: 'expire cette nuit',
      short: 'cette nuit',
      soon: true,
      reason: 'créé il y a plus de 30 jours',
    };
  const text =
    left <= DAY_MS ? `expire dans ${duration(left)}` : `expire dans ${Math.ceil(left / DAY_MS)}\u00a0jours`;
  const short = left <= DAY_MS ? duration(left) : `${Math.ceil(left / DAY_MS)}\u00a0j`;
  return { text, short, soon: left < 6 * DAY_MS, reason: KEEP_REASON_LABELS.recent };
}

/** How to keep a file beyond its 30 days. */
export const HOW_TO_KEEP =
  'Pour le garder au-delà\u00a0: approuvez-le, rattachez-le à un concept ou faites-en un avatar.';
