import type { IconNode } from 'lucide';
import { cx } from './cx.ts';
import { outlineOf } from './icon-outline.ts';

/** A drawing of 24 × 24, as `lucide` has it. */
export type IconDrawing = IconNode;

type OutlineProps = {
  /** Data of a path. */
  d: string;
  /** In pixels. */
  size?: number;
  /** In units of the drawing. */
  strokeWidth?: number;
  className?: string | undefined;
};

/** An icon, as one line: for the eye only, what it stands beside or on says what it means. Its colour is the text's. */
export function Icon({ of, ...look }: { of: IconDrawing } & Omit<OutlineProps, 'd'>) {
  return <Outline d={outlineOf(of)} {...look} />;
}

/** An icon whose line was made out elsewhere (`outlineOf`): whoever draws it need not bring the drawing. */
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
