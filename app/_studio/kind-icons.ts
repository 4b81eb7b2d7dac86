import { AudioLines, Film, Image, LayoutTemplate, type LucideIcon, Mic, Shapes } from 'lucide-react';
import type { Kind } from './words.ts';

/** The icon of each kind. The server draws those of the journal's tiles. */
export const KIND_ICONS: Record<Kind, LucideIcon> = {
  IMAGE: Image,
  VECTOR: Shapes,
  VOICE: AudioLines,
  VIDEO: Film,
  MOTION: Film,
  LIPSYNC: Mic,
  RENDER: LayoutTemplate,
};
