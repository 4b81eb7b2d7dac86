import type { RenderSize } from './types.ts';

export const SQUARE: RenderSize = { id: '1080x1080', label: 'Carré', width: 1080, height: 1080 };
export const PORTRAIT: RenderSize = { id: '1080x1350', label: 'Portrait', width: 1080, height: 1350 };
export const STORY: RenderSize = { id: '1080x1920', label: 'Story', width: 1080, height: 1920 };
export const LINK: RenderSize = { id: '1200x630', label: 'Lien partagé', width: 1200, height: 630 };
export const WIDE: RenderSize = { id: '1920x1080', label: 'Paysage', width: 1920, height: 1080 };
