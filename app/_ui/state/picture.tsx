'use client';
import { FileX2 } from 'lucide';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';

type PictureProps = Omit<ComponentProps<'img'>, 'ref' | 'onError' | 'src'> & {
  src: string;
  /** For a picture of a few pixels: the message of a missing file is for assistive technology only. */
  small?: boolean;
  /** Shown instead of the usual message if the image cannot be loaded. */
  missing?: ReactNode;
};

/** An image that says so if it cannot be loaded, even if it failed before hydration, when no event is sent any more. */
export function Picture({ src, alt, className, small, missing, ...rest }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const { current } = image;
    if (!current?.complete || current.naturalWidth > 0) return;
    // A lazy image that has not started is `complete` too; only a broken one fails to decode.
    let isHere = true;
    current.decode().catch(() => isHere && setBroken(src));
    return () => {
      isHere = false;
    };
  }, [src]);
  if (broken === src) return missing ?? <MissingPicture className={className} small={small} />;
  return (
    <img ref={image} src={src} alt={alt} className={className} onError={() => setBroken(src)} {...rest} />
  );
}

/** The message in place of a file that cannot be loaded; takes the same room. */
export function MissingPicture({
  className,
  small,
}: {
  className?: string | undefined;
  small?: boolean | undefined;
}) {
  return (
    <span className={cx('grid place-items-center bg-sunken text-ink-faint', className)}>
      <span className="flex flex-col items-center gap-1 text-xs">
        <Icon of={FileX2} size={20} strokeWidth={1.5} />
        <span className={small ? 'sr-only' : undefined}>Fichier illisible</span>
      </span>
    </span>
  );
}
