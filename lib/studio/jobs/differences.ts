import type { Generation } from '../generation/generation.ts';
import type { MissedSetting } from '../generation/settings.ts';
import { hasRatio, RATIO_TOLERANCE } from '../kinds/has-ratio.ts';

/** A clip may end this far from the duration asked, or this part of it: encoders and models round. */
const TOLERANCE_MS = 1_000;
const TOLERANCE_PART = 0.2;

/**
 * The pixels of a resolution's 16:9 frame. A square one of the same name has 56 % of them, the next resolution below 44 % or less: what
 * has less than half is another resolution, and another price.
 */
const PIXELS: Record<string, number> = {
  '480p': 854 * 480,
  '720p': 1280 * 720,
  '1080p': 1920 * 1080,
  '4k': 3840 * 2160,
};
const MIN_PART = 0.5;

type Clip = { durationMs: number; width: number; height: number };

/** The settings that a job's file does not have: measured against what was asked. Nothing asked, nothing to compare. */
export function differencesOf(row: Generation, clip: Clip): MissedSetting[] {
  const { aspectRatio, resolution } = row.params.settings ?? {};
  const different: MissedSetting[] = [];
  const askedMs = askedDurationMs(row);
  if (askedMs !== undefined) {
    const tolerance = Math.max(TOLERANCE_MS, askedMs * TOLERANCE_PART);
    if (Math.abs(clip.durationMs - askedMs) > tolerance) different.push('durationSeconds');
  }
  if (row.kind === 'LIPSYNC') return different;
  if (typeof aspectRatio === 'string' && !hasRatio(clip, aspectRatio, RATIO_TOLERANCE.video))
    different.push('aspectRatio');
  // Recorded results are small loops: nobody paid for their pixels.
  const isBilled = row.params.mode !== 'fixtures' && typeof resolution === 'string';
  const pixels = isBilled ? PIXELS[resolution] : undefined;
  if (pixels !== undefined && clip.width * clip.height < pixels * MIN_PART) different.push('resolution');
  return different;
}

/** What the file should last: the seconds asked, the voice that is said, or the clip that is moved or edited. */
function askedDurationMs(row: Generation): number | undefined {
  const { settings = {}, pricing = {}, voiceMs } = row.params;
  if (row.kind === 'LIPSYNC') return voiceMs;
  if (typeof settings.durationSeconds === 'number') return settings.durationSeconds * 1_000;
  return typeof pricing.sourceMs === 'number' ? pricing.sourceMs : undefined;
}
