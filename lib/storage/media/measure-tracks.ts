import type { InputFormat, InputVideoTrack } from 'mediabunny';
import type { ClipFormat } from './media-types.ts';

/** How the reading process says that the file, not the reading, is at fault. */
export const UNREADABLE_EXIT = 65;

/** What the packets of a clip or a track say; the duration in seconds, null when it is no number. */
export type MeasuredTracks = {
  seconds: number | null;
  video: {
    width: number;
    height: number;
    codec: string | null;
    /** On average, of its first frames; null where they tell none. */
    framesPerSecond: number | null;
  } | null;
  audio: { codec: string | null } | null;
};

/** Frames that are counted: a minute at 50 a second says what the rest has. */
const MAX_COUNTED = 3_000;
/** No camera makes more; a table that says so is damaged. */
const MAX_RATE = 1_000;

/** Reads a clip with the one reader of its format. Hostile files can make it spend any memory: run it in `measureInChild`. */
export async function measureTracks(bytes: Uint8Array, format: ClipFormat): Promise<MeasuredTracks> {
  const media = await import('mediabunny');
  // One reader, chosen by the bytes: playlists, which would open addresses of their own, are never among them.
  const readers: Record<ClipFormat, InputFormat> = {
    mp4: media.MP4,
    m4a: media.MP4,
    mov: media.QTFF,
    webm: media.WEBM,
    mp3: media.MP3,
    wav: media.WAVE,
  };
  using input = new media.Input({ source: new media.BufferSource(bytes), formats: [readers[format]] });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const end = await input.computeDuration(undefined, { skipLiveWait: true });
  // A file that was cut from a stream begins late: its length counts, not its end. A track's priming before zero does not.
  const starts = [video, audio].map(async (track) => (track ? await track.getFirstTimestamp() : Infinity));
  const start = Math.max(0, Math.min(...(await Promise.all(starts))));
  return {
    seconds: end === null || start >= end ? end : end - start,
    video: video && {
      width: await video.getDisplayWidth(),
      height: await video.getDisplayHeight(),
      codec: await video.getCodec(),
      framesPerSecond: await frameRate(video),
    },
    audio: audio && { codec: await audio.getCodec() },
  };
}

/** A film whose frames cannot be counted is one all the same. */
async function frameRate(video: InputVideoTrack): Promise<number | null> {
  const stats = await video.computePacketStats(MAX_COUNTED).catch(() => null);
  const rate = stats?.averagePacketRate ?? 0;
  return rate > 0 && rate <= MAX_RATE ? rate : null;
}
