import type { DigitalSource } from '#lib/storage/media/provenance/xmp.ts';
import type { Generation } from './generation.ts';

/**
 * What the IPTC calls the origin of a row's files: made by a model, or made of somebody's picture or film and of what a model made (a
 * product kept pixel for pixel, a picture drawn again in its mask or made larger, a clip whose motion or lips are another's).
 */
export function digitalSourceOf({
  references,
  params,
}: Pick<Generation, 'references'> & Partial<Pick<Generation, 'params'>>): DigitalSource {
  const { mask, clips = [] } = references.roles ?? {};
  const composed = mask !== undefined || clips.length > 0 || params?.case === 'image-upscale';
  return composed ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
}
