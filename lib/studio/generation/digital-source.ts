import type { DigitalSource } from '#lib/storage/media/provenance/xmp.ts';
import type { Generation } from './generation.ts';

/**
 * What the IPTC calls the origin of a row's files: made by a model, or made of somebody's picture or film and of what a model made (a
 * product kept pixel for pixel, a clip whose motion or lips are another's).
 */
export function digitalSourceOf({ references }: Pick<Generation, 'references'>): DigitalSource {
  const { product, mask, clips = [] } = references.roles ?? {};
  const composed = (product !== undefined && mask !== undefined) || clips.length > 0;
  return composed ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
}
