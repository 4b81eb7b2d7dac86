import { fileTypeFromBuffer } from 'file-type';
import { MediaRefusal } from './media-refusal.ts';
import {
  CLIP_FORMATS,
  formatOfContentType,
  formatOfFileName,
  IMAGE_FORMATS,
  isImageFormat,
  MEDIA_LIMITS,
  type MediaFormat,
} from './media-types.ts';
import { type ProbedClip, probeClip } from './probe-clip.ts';
import { type ProbedImage, probeImage } from './probe-image.ts';

export type ProbedMedia = ProbedImage | ProbedClip;

export type ProbeOptions = {
  /** Formats that the caller takes. Default: all ten. */
  accept?: readonly MediaFormat[];
  /** Default: 4 MiB for an image, 50 MiB for a clip or a track. */
  maxBytes?: number;
  /** What the sender said; when said, the bytes must agree. */
  declaredType?: string | undefined;
  fileName?: string | undefined;
  /** The account whose file it is: its clips are measured one at a time, and its images, those of others beside them. */
  owner?: string | undefined;
};

/**
 * What a file really is: type by its bytes, then parsed by a real reader of that type, measured, and searched for a second
 * document inside. Throws `MediaRefusal`; never trusts a name, a declared type or a header alone.
 */
export async function probeMedia(bytes: Uint8Array, options: ProbeOptions = {}): Promise<ProbedMedia> {
  if (bytes.byteLength === 0) throw new MediaRefusal('empty');
  const ceiling = options.maxBytes ?? MEDIA_LIMITS.uploadedClipBytes;
  if (bytes.byteLength > ceiling) throw new MediaRefusal('too-large');
  const sniffed = await sniff(bytes);
  const accept = options.accept ?? [...IMAGE_FORMATS, ...CLIP_FORMATS];
  // Sound alone in an MP4 is only known after reading it, so an MP4 may still turn out to be an accepted M4A.
  const possible =
    sniffed !== null && (accept.includes(sniffed) || (sniffed === 'mp4' && accept.includes('m4a')));
  if (!possible) throw new MediaRefusal('type-not-accepted');
  checkDeclared(sniffed, options);
  if (isImageFormat(sniffed)) {
    const limit = options.maxBytes ?? MEDIA_LIMITS.uploadedImageBytes;
    if (bytes.byteLength > limit) throw new MediaRefusal('too-large');
    return probeImage(bytes, sniffed, options.owner);
  }
  const clip = await probeClip(bytes, sniffed, options.owner);
  checkDeclaredTrack(clip, options);
  if (!accept.includes(clip.format) && !accept.includes(sniffed)) throw new MediaRefusal('type-not-accepted');
  return clip;
}

/** `probeMedia` for an image; anything else is `type-not-accepted`. */
export async function probeImageFile(
  bytes: Uint8Array,
  options: Omit<ProbeOptions, 'accept'> = {},
): Promise<ProbedImage> {
  const probed = await probeMedia(bytes, { ...options, accept: IMAGE_FORMATS });
  if (probed.kind !== 'image') throw new MediaRefusal('type-not-accepted');
  return probed;
}

/**
 * `probeMedia` for a reference that must be a film: `not-a-clip` without a video track, `clip-too-short` and `clip-too-long`
 * by its measured duration (bounds included in what is accepted).
 */
export async function measureClip(
  bytes: Uint8Array,
  options: Omit<ProbeOptions, 'accept'> & { minMs?: number; maxMs?: number } = {},
): Promise<ProbedClip & { width: number; height: number }> {
  const probed = await probeMedia(bytes, { maxBytes: MEDIA_LIMITS.uploadedClipBytes, ...options }).catch(
    (error) => {
      // A film that is not one at all is refused as such, not as a file type.
      const notMedia = error instanceof MediaRefusal && error.reason === 'type-not-accepted';
      throw notMedia ? new MediaRefusal('not-a-clip', { cause: error }) : error;
    },
  );
  if (probed.kind !== 'video') throw new MediaRefusal('not-a-clip');
  checkDuration(probed, options);
  return { ...probed, width: probed.width!, height: probed.height! };
}

/** `probeMedia` for a sound: a track, or a film that has sound. */
export async function measureTrack(
  bytes: Uint8Array,
  options: Omit<ProbeOptions, 'accept'> & { minMs?: number; maxMs?: number } = {},
): Promise<ProbedClip> {
  const probed = await probeMedia(bytes, { ...options, accept: CLIP_FORMATS });
  if (probed.kind === 'image' || !probed.hasAudio) throw new MediaRefusal('clip-unreadable');
  checkDuration(probed, options);
  return probed;
}

function checkDuration(clip: ProbedClip, bounds: { minMs?: number; maxMs?: number }): void {
  if (bounds.minMs !== undefined && clip.durationMs < bounds.minMs) throw new MediaRefusal('clip-too-short');
  if (bounds.maxMs !== undefined && clip.durationMs > bounds.maxMs) throw new MediaRefusal('clip-too-long');
}

async function sniff(bytes: Uint8Array): Promise<MediaFormat | null> {
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  return found ? formatOfContentType(found.mime) : null;
}

function declaredFormats(options: ProbeOptions): (MediaFormat | null)[] {
  const formats: (MediaFormat | null)[] = [];
  // A sender that does not know says so with this type, which declares nothing.
  if (options.declaredType && options.declaredType !== 'application/octet-stream') {
    formats.push(formatOfContentType(options.declaredType));
  }
  if (options.fileName && /\.[^./]+$/.test(options.fileName))
    formats.push(formatOfFileName(options.fileName));
  return formats;
}

function checkDeclared(sniffed: MediaFormat, options: ProbeOptions): void {
  for (const declared of declaredFormats(options)) {
    const sameContainer = sniffed === 'mp4' && declared === 'm4a';
    if (declared !== sniffed && !sameContainer) throw new MediaRefusal('type-mismatch');
  }
}

/** An MP4 declared as a track must hold no pictures. */
function checkDeclaredTrack(clip: ProbedClip, options: ProbeOptions): void {
  if (clip.hasVideo && declaredFormats(options).includes('m4a')) throw new MediaRefusal('type-mismatch');
}
