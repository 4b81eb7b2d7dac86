import { hasHiddenContent } from './hidden-content.ts';
import { isoBoxesAreWhole, riffIsWhole } from './iso-boxes.ts';
import { measureInChild, UnreadableFile } from './measure-in-child.ts';
import { measureOnce } from './measure-once.ts';
import { MediaRefusal } from './media-refusal.ts';
import { type ClipFormat, contentTypeOf, extensionOf, MEDIA_LIMITS } from './media-types.ts';

export type ProbedClip = {
  kind: 'video' | 'audio';
  format: ClipFormat;
  contentType: string;
  extension: string;
  bytes: number;
  /** The longest track, rounded to the millisecond; at least 1. */
  durationMs: number;
  hasVideo: boolean;
  hasAudio: boolean;
  /** As shown (rotation and pixel shape applied); null without a video track. */
  width: number | null;
  height: number | null;
  videoCodec: string | null;
  /** Of its pictures, on average; null where it is not known. */
  framesPerSecond: number | null;
  audioCodec: string | null;
};

/**
 * Measures a clip or a track from its packets, not from what its head claims. Throws `MediaRefusal('clip-unreadable')` when
 * it is cut, damaged, or has no duration. `owner`: the account whose file it is (`measureInChild`).
 */
export async function probeClip(bytes: Uint8Array, format: ClipFormat, owner?: string): Promise<ProbedClip> {
  const isIso = format === 'mp4' || format === 'mov' || format === 'm4a';
  if (isIso && !isoBoxesAreWhole(bytes)) throw new MediaRefusal('clip-unreadable');
  if (format === 'wav' && !riffIsWhole(bytes)) throw new MediaRefusal('clip-unreadable');
  if (hasHiddenContent(bytes)) throw new MediaRefusal('hidden-content');
  try {
    return await measure(bytes, format, owner);
  } catch (error) {
    throw error instanceof UnreadableFile ? new MediaRefusal('clip-unreadable', { cause: error }) : error;
  }
}

async function measure(bytes: Uint8Array, format: ClipFormat, owner?: string): Promise<ProbedClip> {
  const { seconds, video, audio } = await measureOnce(bytes, format, (given, of) =>
    measureInChild(given, of, { owner }),
  );
  if (!video && !audio) throw new MediaRefusal('clip-unreadable');
  const durationMs = Math.round((seconds ?? 0) * 1000);
  if (!(durationMs > 0 && durationMs <= MEDIA_LIMITS.clipMs)) throw new MediaRefusal('clip-unreadable');
  if (video && !(video.width > 0 && video.height > 0)) throw new MediaRefusal('clip-unreadable');
  // An MP4 without pictures is a track, whatever its brand; an M4A with pictures is not what it says.
  if (format === 'm4a' && video) throw new MediaRefusal('type-mismatch');
  const actual = format === 'mp4' && !video ? 'm4a' : format;
  return {
    kind: video ? 'video' : 'audio',
    format: actual,
    contentType: format === 'webm' && !video ? 'audio/webm' : contentTypeOf(actual),
    extension: extensionOf(actual),
    bytes: bytes.byteLength,
    durationMs,
    hasVideo: video !== null,
    hasAudio: audio !== null,
    width: video?.width ?? null,
    height: video?.height ?? null,
    videoCodec: video?.codec ?? null,
    framesPerSecond: video?.framesPerSecond ?? null,
    audioCodec: audio?.codec ?? null,
  };
}
