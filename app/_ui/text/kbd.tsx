import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';
import { ModKey } from './mod-key.tsx';

/** Keys to press, e.g. `<Kbd keys="g e" />` for one after the other. `Mod` is Ctrl, or Command on Apple devices. */
export function Kbd({ keys, className, ...rest }: { keys: string } & ComponentProps<'span'>) {
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1', className)} {...rest}>
      {keys.split(' ').map((key, index) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: the keys of one shortcut never move
          key={index}
          className="inline-grid h-5 min-w-5 place-items-center rounded-xs border border-line bg-sunken px-1 font-sans text-ink-faint text-xs"
        >
          {key === 'Mod' ? <ModKey /> : key}
        </kbd>
      ))}
    </span>
  );
}
