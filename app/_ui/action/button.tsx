import { LoaderCircle } from 'lucide';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';
export type ButtonSize = 'md' | 'sm';

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent',
  secondary: 'bg-surface text-ink border-line-strong/60 hover:bg-hover',
  quiet: 'bg-transparent text-ink-soft border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover border-transparent',
};
const SIZES: Record<ButtonSize, string> = {
  md: 'h-9 px-3.5 text-sm gap-2',
  sm: 'h-8 px-2.5 text-sm gap-1.5',
};

/** Classes of a button (`.button` in app/_ui/styles), for the rare element that is neither a `Button` nor a `LinkButton`. */
export function buttonClass(
  variant: ButtonVariant = 'secondary',
  size: ButtonSize = 'md',
  className?: string,
): string {
  return cx('button touch forced-colors:border-[ButtonBorder]', VARIANTS[variant], SIZES[size], className);
}

type Look = { variant?: ButtonVariant; size?: ButtonSize; icon?: IconDrawing; children: ReactNode };

/** The label keeps its place under the spinner, so that the width does not change. */
function ButtonFace({
  icon,
  pending,
  children,
}: {
  icon?: IconDrawing | undefined;
  pending?: boolean | undefined;
  children: ReactNode;
}) {
  return (
    <>
      {icon ? (
        <Icon of={icon} size={16} strokeWidth={1.75} className={cx('shrink-0', pending && 'invisible')} />
      ) : null}
      {/* A plain text needs no element of its own. */}
      {pending || typeof children !== 'string' ? (
        <span className={pending ? 'invisible' : undefined}>{children}</span>
      ) : (
        children
      )}
      {pending ? (
        <span className="absolute inset-0 grid place-items-center">
          <Icon of={LoaderCircle} size={16} className="animate-turn" />
          <span className="sr-only">En cours…</span>
        </span>
      ) : null}
    </>
  );
}

/** A button for an action. `pending` shows that the action runs, and ignores further presses without losing the focus. */
export function Button({
  variant,
  size,
  icon,
  pending,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: Look & { pending?: boolean } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type={type}
      className={buttonClass(variant, size, className)}
      aria-disabled={pending || undefined}
      // `Form` ignores a second submission by itself; any other button loses its handler.
      onClick={pending ? undefined : onClick}
      {...rest}
    >
      <ButtonFace icon={icon} pending={pending}>
        {children}
      </ButtonFace>
    </button>
  );
}

/** A link that looks like a button: it leads to a page and performs no action. */
export function LinkButton({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: Look & Omit<ComponentProps<typeof Link>, 'children'>) {
  return (
    <Link className={buttonClass(variant, size, className)} {...rest}>
      <ButtonFace icon={icon}>{children}</ButtonFace>
    </Link>
  );
}
