import type { ReactNode } from 'react';
import { Picture as Image } from '#app/_ui/state/picture.tsx';

/** A thumbnail of what was deleted; its icon if it has none. */
export function Picture({ src, children }: { src: string | null; children: ReactNode }) {
  return (
    <span className="grid size-12 shrink-0 place-items-center overflow-hidden rounded-xs border border-line bg-sunken text-ink-soft">
      {src ? (
        <Image
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          missing={children}
          className="size-full object-cover"
        />
      ) : (
        children
      )}
    </span>
  );
}
