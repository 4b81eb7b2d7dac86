import type { IconNode } from 'lucide';
import { cx } from './cx.ts';
import { outlineOf } from './icon-outline.ts';

/** A drawing of 24 × 24 units, from `lucide`. */
export type IconDrawing = IconNode;

type OutlineProps = {
  /** The data of the path. */
  d: string;
  /** In pixels. */
  size?: number;
  /** In units of the drawing. */
  strokeWidth?: number;
  className?: string | undefined;
};

/** An icon as one path, in the colour of the text. It is decorative: the text or the label beside it gives the meaning. */
export function Icon({ of, ...look }: { of: IconDrawing } & Omit<OutlineProps, 'd'>) {
  return <Outline d={outlineOf(of)} {...look} />;
}

/** An icon whose path is already computed (`outlineOf`), so that the browser does not load the drawing. */
export function Outline({ d, size = 24, strokeWidth = 2, className }: OutlineProps) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      width={size}
      height={size}
      strokeWidth={strokeWidth}
      className={cx('icon', className)}
    >
      <path d={d} />
    </svg>
  );
}
