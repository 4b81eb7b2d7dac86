import type { ModelEntry } from './entry.ts';
import { IMAGE_AND_TEXT_MODELS } from './image.ts';
import { VIDEO_MODELS } from './video.ts';
import { VOICE_AND_RENDER_MODELS } from './voice.ts';

export type VideoCase = keyof typeof VIDEO_MODELS;
/** Every line of the table; the compiler requires marks and a name for each. */
export type CaseId = keyof typeof IMAGE_AND_TEXT_MODELS | keyof typeof VOICE_AND_RENDER_MODELS | VideoCase;
/** In the order of the table, which is the composer's. */
export const VIDEO_CASES = Object.keys(VIDEO_MODELS) as VideoCase[];

/** Images that can be asked for, in the order in which « Créer » offers them. */
export const IMAGE_CASES = [
  'image-fast',
  'image-best',
  'image-transparent',
  'image-edit',
  'image-upscale',
] as const satisfies readonly CaseId[];

/**
 * The one reviewed table: which outside model serves which case, its limits, the references it accepts and its price.
 * `source` says where each fact was read; `assumption` says what could not be verified. `docs/providers.md` is
 * generated from it (`node scripts/reports/providers-table.ts`) and a test keeps the two equal.
 */
export const MODELS: Record<CaseId, ModelEntry> = {
  ...IMAGE_AND_TEXT_MODELS,
  ...VOICE_AND_RENDER_MODELS,
  ...VIDEO_MODELS,
};

/** Whether a word names a line of the table. */
function isCaseId(name: string): name is CaseId {
  return Object.hasOwn(MODELS, name);
}

/** The line of a case. Throws RangeError on a word that names none: callers validate before. */
export function modelFor(name: string): ModelEntry {
  if (!isCaseId(name)) throw new RangeError('unknown case of the models table');
  return MODELS[name];
}

/** The model that will be called, knowing whether a start image goes along. */
export function modelIdFor(name: string, request: { startImage?: boolean } = {}): string {
  const entry = modelFor(name);
  return request.startImage && entry.modelIdWithStartImage ? entry.modelIdWithStartImage : entry.modelId;
}
