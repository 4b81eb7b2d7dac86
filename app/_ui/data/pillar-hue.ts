import type { PillarRole } from '#lib/brain/templates.ts';

const HUES: Record<PillarRole, { text: string; soft: string; fill: string }> = {
  IDENTITY: { text: 'text-identity', soft: 'bg-identity-soft', fill: 'bg-identity' },
  GUIDELINES: { text: 'text-guidelines', soft: 'bg-guidelines-soft', fill: 'bg-guidelines' },
  KNOWLEDGE: { text: 'text-knowledge', soft: 'bg-knowledge-soft', fill: 'bg-knowledge' },
  ITEMS: { text: 'text-items', soft: 'bg-items-soft', fill: 'bg-items' },
  PEOPLE: { text: 'text-people', soft: 'bg-people-soft', fill: 'bg-people' },
};

/**
 * Classes of a pillar's colour: text, pale background, solid fill. The colour never stands without the icon and the label. Separate from
 * `pillar.tsx`, so that a client component that needs the colour does not load all icons.
 */
export function pillarHue(role: PillarRole): { text: string; soft: string; fill: string } {
  return HUES[role];
}
