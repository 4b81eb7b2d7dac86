'use client';
import { type ReactNode, useState } from 'react';

/** A small picture of what was deleted; its icon where there is none. */
export function Picture({ src, children }: { src: string | null; children: ReactNode }) {
  const [failed, setFailed] = useState(false);
  return (
    <span className="grid size-12 shrink-0 place-items-center overflow-hidden rounded-sm border border-line bg-sunken text-ink-soft">
      {src && !failed ? (
        // biome-ignore lint/performance/noImgElement: private files behind the session, which the optimizer cannot read
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setFailed(true)}
          className="size-full object-cover"
        />
      ) : (
        children
      )}
    </span>
  );
}
