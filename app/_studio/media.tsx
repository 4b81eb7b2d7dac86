'use client';
import { AudioLines, Pause, Play } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { duration } from '#app/_ui/format.ts';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { MissingPicture, Picture } from '#app/_ui/state/picture.tsx';
import type { FileView } from '#lib/studio/journal/view.ts';

export type MediaProps = {
  file: FileView;
  /** A description of the file for assistive technology. */
  alt: string;
  className?: string;
};

/** A file of at most this size is its own thumbnail. */
const SMALL_BYTES = 16 * 1024;

/** The address of the picture that a tile shows: the thumbnail, or the file itself if it is a drawing or small. */
export function thumbnailUrl(file: Pick<FileView, 'url' | 'contentType' | 'bytes'>): string {
  const isSmall = file.contentType === 'image/svg+xml' || file.bytes <= SMALL_BYTES;
  return isSmall || !file.contentType.startsWith('image/') ? file.url : `${file.url}?thumbnail=1`;
}

/** A picture of the journal; its thumbnail if `small`. */
export function FilePicture({
  file,
  alt,
  className,
  eager,
  small,
}: MediaProps & { eager?: boolean; small?: boolean }) {
  return (
    <Picture
      src={small ? thumbnailUrl(file) : file.url}
      alt={alt}
      width={file.width ?? undefined}
      height={file.height ?? undefined}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      className={className}
      missing={<MissingPicture className={cx('size-full', className)} />}
    />
  );
}

/** A file in a tile: an image, a video that plays while the pointer is over the tile, or a voice with a play button. */
export function TileMedia({ file, alt }: MediaProps) {
  if (file.contentType.startsWith('image/'))
    return (
      <FilePicture
        file={file}
        alt={alt}
        small
        className={cx(
          'size-full',
          file.contentType === 'image/svg+xml' ? 'bg-paper object-contain p-6' : 'object-cover',
        )}
      />
    );
  if (file.contentType.startsWith('video/')) return <TileVideo file={file} alt={alt} />;
  return <TileAudio file={file} alt={alt} />;
}

function TileVideo({ file, alt }: MediaProps) {
  const [failed, setFailed] = useState(false);
  const video = useRef<HTMLVideoElement>(null);
  // The tile's link covers the picture and receives its events, so the pointer is watched on the whole tile.
  useEffect(() => {
    const tile = video.current?.closest('article');
    if (!tile) return;
    const listening = new AbortController();
    const play = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || window.matchMedia('(prefers-reduced-motion: reduce)').matches)
        return;
      void video.current?.play().catch(() => {});
    };
    tile.addEventListener('pointerenter', play, { signal: listening.signal });
    tile.addEventListener('pointerleave', () => video.current?.pause(), { signal: listening.signal });
    return () => listening.abort();
  }, []);
  if (failed) return <MissingPicture className="size-full" />;
  return (
    <>
      <video
        ref={video}
        src={`${file.url}#t=0.1`}
        aria-label={alt}
        muted
        loop
        playsInline
        preload="metadata"
        onError={() => setFailed(true)}
        className="size-full object-cover"
      />
      <Length ms={file.durationMs} icon={Play} />
    </>
  );
}

function Length({ ms, icon }: { ms: number | null; icon: IconDrawing }) {
  if (ms === null) return null;
  return (
    <span className="tabular pointer-events-none absolute right-2 bottom-2 z-10 inline-flex items-center gap-1 rounded-xs bg-ink/80 px-1.5 py-0.5 text-ground text-xs">
      <Icon of={icon} size={12} />
      {duration(ms)}
    </span>
  );
}

function TileAudio({ file, alt }: MediaProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [failed, setFailed] = useState(false);
  if (failed) return <MissingPicture className="size-full" />;
  const icon = playing ? Pause : Play;
  return (
    <span className="grid size-full place-items-center bg-sunken text-ink-faint">
      <Icon of={AudioLines} size={72} strokeWidth={1} className="opacity-40" />
      {/* biome-ignore lint/a11y/useMediaCaption: the spoken text is shown beside it */}
      <audio
        ref={audio}
        src={file.url}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onError={() => setFailed(true)}
      />
      <button
        type="button"
        aria-label={playing ? `Arrêter\u00a0: ${alt}` : `Écouter\u00a0: ${alt}`}
        onClick={() => (playing ? audio.current?.pause() : void audio.current?.play().catch(() => {}))}
        className="touch absolute z-20 grid size-11 place-items-center rounded-full bg-raised text-ink shadow-raised hover:bg-hover"
      >
        <Icon of={icon} size={18} />
      </button>
      <Length ms={file.durationMs} icon={AudioLines} />
    </span>
  );
}
