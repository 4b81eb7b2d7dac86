import { PILLAR_ROLES, type PillarRole } from './templates.ts';

/** Body length, in UTF-16 code units, from which a Memory weighs 1. */
export const FULL_WEIGHT_LENGTH = 800;

/** Total weight at which a pillar is fully covered. */
const TARGET_WEIGHT = 5;

type MeasuredMemory = {
  id: string;
  /** `body.length`, in UTF-16 code units. */
  bodyLength: number;
};

type PillarCoverage = {
  /** 0 to 100. */
  quality: number;
  /** Share of each Memory by id; the shares sum exactly to `quality`. */
  contributions: Map<string, number>;
};

/**
 * Coverage of one pillar. A Memory weighs `min(1, length / 800)`; five full weights cover the pillar. The quality
 * is shared by weight with largest remainders; equal remainders go to the smaller id, so the order of the
 * input never matters. Integer arithmetic throughout: no rounding drift.
 */
export function pillarCoverage(memories: readonly MeasuredMemory[]): PillarCoverage {
  let total = 0;
  const shares = memories.map(({ id, bodyLength }) => {
    const weight = Math.min(FULL_WEIGHT_LENGTH, bodyLength);
    total += weight;
    return { id, weight, points: 0, remainder: 0 };
  });
  const quality = Math.min(100, Math.round((100 * total) / (FULL_WEIGHT_LENGTH * TARGET_WEIGHT)));
  let left = quality;
  if (total > 0) {
    for (const share of shares) {
      share.points = Math.floor((quality * share.weight) / total);
      share.remainder = (quality * share.weight) % total;
      left -= share.points;
    }
    const ranked = left > 0 ? [...shares].sort(byRemainder) : [];
    for (const share of ranked.slice(0, left)) share.points += 1;
  }
  return { quality, contributions: new Map(shares.map(({ id, points }) => [id, points])) };
}

/** Quality of a Space: the rounded average of its five pillars. */
export function spaceQuality(qualities: Readonly<Record<PillarRole, number>>): number {
  const sum = PILLAR_ROLES.reduce((total, role) => total + qualities[role], 0);
  return Math.round(sum / PILLAR_ROLES.length);
}

function byRemainder(a: { id: string; remainder: number }, b: { id: string; remainder: number }): number {
  return b.remainder - a.remainder || (a.id < b.id ? -1 : 1);
}
