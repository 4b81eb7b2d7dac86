'use client';
import { type ReactNode, useState } from 'react';
import { cx } from '#app/_ui/cx.ts';
import type { FileView } from '#lib/studio/journal/view.ts';
import { leftFiles } from '../../left-files.ts';
import { TileMedia } from '../../media.tsx';

export type PagesProps = { files: readonly FileView[]; alt: string };

/** The remaining files of a generation, one at a time: « 1/4 » says which one, and a press shows the next. */
export function Turned({
  alt,
  draw,
  ...row
}: PagesProps & { draw: (file: FileView, alt: string) => ReactNode }) {
  const [turn, setTurn] = useState(0);
  const files = leftFiles(row);
  const at = turn % files.length;
  const file = files[at];
  if (!file) return null;
  if (files.length === 1) return draw(file, alt);
  const next = ((at + 1) % files.length) + 1;
  return (
    <>
      {draw(file, `${alt}, fichier ${at + 1} sur ${files.length}`)}
      <button
        type="button"
        data-pages
        aria-label={`${at + 1}/${files.length}, montrer le fichier ${next}`}
        data-tip={`Montrer le fichier ${next}`}
        onClick={() => setTurn(at + 1)}
        className={cx(
          'tabular touch absolute top-2 right-2 z-20 inline-flex h-7 items-center rounded-xs bg-ink/80 px-2',
          'font-medium text-ground text-xs hover:bg-ink',
        )}
      >
        {at + 1}/{files.length}
      </button>
    </>
  );
}

/** The files of a generation in its tile, one at a time. */
export function TilePages(props: PagesProps) {
  return <Turned {...props} draw={(file, alt) => <TileMedia key={file.pathname} file={file} alt={alt} />} />;
}
