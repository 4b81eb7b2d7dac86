import type { Carrier } from './carrier.ts';
import { gifCarrier } from './gif-carrier.ts';
import { jpegCarrier } from './jpeg-carrier.ts';
import { movCarrier } from './mov-carrier.ts';
import { mp3Carrier } from './mp3-carrier.ts';
import { mp4Carrier } from './mp4-carrier.ts';
import { pngCarrier } from './png-carrier.ts';
import type { Provenance } from './provenances.ts';
import { svgCarrier } from './svg-carrier.ts';
import { wavCarrier } from './wav-carrier.ts';
import { webpCarrier } from './webp-carrier.ts';
import { type DigitalSource, namesModel, saysMadeByModel, withSource, xmpPacket } from './xmp.ts';

const CARRIERS: Record<string, (bytes: Uint8Array) => Carrier | null> = {
  'image/png': pngCarrier,
  'image/jpeg': jpegCarrier,
  'image/webp': webpCarrier,
  'image/gif': gifCarrier,
  'image/svg+xml': svgCarrier,
  'video/mp4': mp4Carrier,
  'video/quicktime': movCarrier,
  'audio/mp4': mp4Carrier,
  'audio/mpeg': mp3Carrier,
  'audio/wav': wavCarrier,
};

/** What a file says of its origin. Blocks are walked, nothing is decoded; a manifest is found, not verified. */
export function readProvenance(bytes: Uint8Array, contentType: string): Provenance {
  return provenanceOf(CARRIERS[contentType]?.(bytes) ?? null);
}

function provenanceOf(carrier: Carrier | null): Provenance {
  if (carrier?.manifest) return 'manifest';
  return carrier?.xmp && saysMadeByModel(carrier.xmp) ? 'mark' : 'none';
}

/** True when a picture says by itself, by its manifest or its mark, that a model made it or a part of it. */
export function isFromModel(picture: Uint8Array): boolean {
  const provenance = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'].map((type) =>
    readProvenance(picture, type),
  );
  return provenance.includes('mark') || (provenance.includes('manifest') && namesModel(picture));
}

/**
 * A file that a model made, as it is to be kept. One that carries a manifest is given back untouched: a byte more would break its
 * signature. Another is marked in XMP as made by a model, with every pixel and sample as it was; where its format has no room, `none`.
 */
export function markOrigin(
  bytes: Uint8Array,
  { contentType, source }: { contentType: string; source: DigitalSource },
): { bytes: Uint8Array; provenance: Provenance } {
  const carrier = CARRIERS[contentType]?.(bytes) ?? null;
  const provenance = provenanceOf(carrier);
  if (!carrier || provenance !== 'none') return { bytes, provenance };
  const packet = carrier.xmp ? withSource(carrier.xmp, source) : xmpPacket(source);
  const marked = packet && carrier.withXmp(packet);
  return marked ? { bytes: marked, provenance: 'mark' } : { bytes, provenance };
}
