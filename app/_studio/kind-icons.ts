import { AudioLines, Film, Image, LayoutTemplate, Mic, Shapes } from 'lucide';
import type { IconDrawing } from '#app/_ui/icon.tsx';
import type { Kind } from './words.ts';

/** The icon of each kind. The server renders those of the journal's tiles. */
export const KIND_ICONS: Record<Kind, IconDrawing> = {
  IMAGE: Image,
  VECTOR: Shapes,
  VOICE: AudioLines,
  VIDEO: Film,
  MOTION: Film,
  LIPSYNC: Mic,
  RENDER: LayoutTemplate,
};
