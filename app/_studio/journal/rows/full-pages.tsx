'use client';
import { FullMedia } from '../../full-media.tsx';
import { type PagesProps, Turned } from './pages.tsx';

/** The files of a generation, one at a time, at the size of a comparison. */
export function FullPages({ className, ...props }: PagesProps & { className: string }) {
  return (
    <Turned
      {...props}
      draw={(file, alt) => <FullMedia key={file.pathname} file={file} alt={alt} className={className} />}
    />
  );
}
