import type { ComponentProps } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';

type IconButtonProps = {
  icon: IconDrawing;
  /** Read by assistive technology and shown as a tooltip. */
  label: string;
  /** Shortcut shown in the tooltip, e.g. `A`. */
  keys?: string;
  size?: 16 | 20;
} & Omit<ComponentProps<'button'>, 'children' | 'aria-label'>;

/** A button that is only an icon; the label is never optional. */
export function IconButton({
  icon,
  label,
  keys,
  size = 16,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      data-tip={keys ? `${label} · ${keys}` : label}
      className={cx(
        'touch inline-grid size-8 shrink-0 place-items-center rounded-md text-ink-soft transition-colors hover:bg-hover hover:text-ink disabled:opacity-55',
        className,
      )}
      {...rest}
    >
      <Icon of={icon} size={size} strokeWidth={1.75} />
    </button>
  );
}
