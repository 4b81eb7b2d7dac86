import { bufferOf } from '#lib/storage/media/provenance/carrier.ts';
import { isFromModel, markOrigin } from '#lib/storage/media/provenance/provenance.ts';

/** Marks a sheet (PNG) as made partly by a model when a picture drawn in it carries that mark; the rest was not made by a model. */
export function sheetOrigin(sheet: Uint8Array, pictures: readonly Uint8Array[]): Buffer {
  if (!pictures.some(isFromModel)) return bufferOf(sheet);
  const source = 'compositeWithTrainedAlgorithmicMedia';
  return bufferOf(markOrigin(sheet, { contentType: 'image/png', source }).bytes);
}
