import type { Draft } from './draft.ts';
import { isUpscale } from './roles.ts';

export const VARIANTS = [1, 2, 3, 4] as const;

/**
 * Why a draft can only be made once: `never` if its kind takes no number, `seed` if a seed is given. Null if several generations can be asked for.
 */
export function onlyOne(draft: Draft): 'never' | 'seed' | null {
  if (draft.kind === 'lipsync' || draft.kind === 'render' || isUpscale(draft)) return 'never';
  return draft.kind === 'image' && draft.seed.trim() !== '' ? 'seed' : null;
}

/** How many generations a draft asks for. */
export const variantsOf = (draft: Draft): number => (onlyOne(draft) === null ? draft.variants : 1);

const NAMES: Record<Draft['kind'], [one: string, several: string]> = {
  image: ['image', 'images'],
  vector: ['pictogramme', 'pictogrammes'],
  voice: ['voix', 'voix'],
  video: ['vidéo', 'vidéos'],
  lipsync: ['vidéo', 'vidéos'],
  render: ['rendu', 'rendus'],
};

/** « 4 images »; empty for a single one. */
export const severalWords = (kind: Draft['kind'], variants: number): string =>
  variants > 1 ? `${variants}\u00a0${NAMES[kind][1]}` : '';
