'use client';
import { FileX2 } from 'lucide';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';

type PictureProps = Omit<ComponentProps<'img'>, 'ref' | 'onError' | 'src'> & {
  src: string;
  /** Of a few pixels: the words of what is missing are for who does not see it. */
  small?: boolean;
  /** What stands there instead of the common words when it does not come. */
  missing?: ReactNode;
};

/** An image that says so when it does not come: one that failed before the page woke up too, which no event tells any more. */
export function Picture({ src, alt, className, small, missing, ...rest }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const { current } = image;
    if (!current?.complete || current.naturalWidth > 0) return;
    // A lazy one that waits is complete too; decoding rejects the broken one alone.
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

/** A file that does not come: said in its place, without moving anything. */
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
