import { bufferOf } from '#lib/storage/media/provenance/carrier.ts';
import { isFromModel, markOrigin } from '#lib/storage/media/provenance/provenance.ts';

/** A sheet (PNG) drawn with a picture that says that it is a model's says so in its turn; no model drew the rest. */
export function sheetOrigin(sheet: Uint8Array, pictures: readonly Uint8Array[]): Buffer {
  if (!pictures.some(isFromModel)) return bufferOf(sheet);
  const source = 'compositeWithTrainedAlgorithmicMedia';
  return bufferOf(markOrigin(sheet, { contentType: 'image/png', source }).bytes);
}
