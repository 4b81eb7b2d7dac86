'use client';
import { useState } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { MissingPicture } from '#app/_ui/state/picture.tsx';
import { FilePicture, type MediaProps } from './media.tsx';

/** A file at up to 70 % of the screen's height, with the browser's own controls. */
export function FullMedia({ file, alt, className }: MediaProps) {
  const [failed, setFailed] = useState(false);
  if (failed) return <MissingPicture className="size-full min-h-48" />;
  if (file.contentType.startsWith('video/'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: a generated clip has no captions; its request is shown beside it
      <video
        src={file.url}
        aria-label={alt}
        controls
        playsInline
        preload="metadata"
        onError={() => setFailed(true)}
        className={cx('max-h-[70vh] w-full bg-film', className)}
      />
    );
  if (file.contentType.startsWith('audio/'))
    return (
      <div className="px-4 py-10">
        {/* biome-ignore lint/a11y/useMediaCaption: the spoken text is shown beside it */}
        <audio
          src={file.url}
          aria-label={alt}
          controls
          preload="metadata"
          onError={() => setFailed(true)}
          className="w-full"
        />
      </div>
    );
  return (
    <FilePicture
      file={file}
      alt={alt}
      eager
      className={cx(
        'mx-auto max-h-[70vh] w-auto max-w-full object-contain',
        file.contentType === 'image/svg+xml' && 'min-h-64 min-w-64 bg-paper p-8',
        className,
      )}
    />
  );
}
