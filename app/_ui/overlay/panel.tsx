'use client';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide';
import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';

export type PanelShape = 'dialog' | 'wide' | 'sheet' | 'beside' | 'bare';

const PHONE_FOOT =
  'max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-[92dvh] max-sm:pr-(--safe-right) max-sm:pb-(--safe-bottom) max-sm:pl-(--safe-left) max-sm:rounded-t-md max-sm:border-t max-sm:data-ending-style:translate-y-full max-sm:data-starting-style:translate-y-full';
const MIDDLE =
  'sm:left-1/2 sm:top-[12vh] sm:max-h-[76vh] sm:-translate-x-1/2 sm:rounded-md sm:border sm:data-ending-style:opacity-0 sm:data-starting-style:opacity-0';
const SIDE =
  'sm:inset-y-0 sm:right-0 sm:pt-(--safe-top) sm:pr-(--safe-right) sm:pb-(--safe-bottom) sm:border-l sm:data-ending-style:translate-x-full sm:data-starting-style:translate-x-full';
const SHAPES: Record<PanelShape, string> = {
  dialog: cx(PHONE_FOOT, MIDDLE, 'sm:w-[min(30rem,calc(100vw-2rem))]'),
  wide: cx(PHONE_FOOT, MIDDLE, 'sm:w-[min(48rem,calc(100vw-2rem-var(--safe-left)-var(--safe-right)))]'),
  bare: cx(
    'max-sm:inset-x-2 max-sm:top-[calc(0.5rem+var(--safe-top))] max-sm:max-h-[80dvh] rounded-md border data-ending-style:opacity-0 data-starting-style:opacity-0',
    'sm:left-1/2 sm:top-[12vh] sm:max-h-[70vh] sm:-translate-x-1/2 sm:w-[min(38rem,calc(100vw-2rem))]',
  ),
  sheet: cx(PHONE_FOOT, SIDE, 'sm:w-[min(36rem,100vw)]'),
  beside: cx(PHONE_FOOT, SIDE, 'sm:w-[min(36rem,100vw)] lg:w-(--beside) lg:shadow-none'),
};

type PanelProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  shape: PanelShape;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  locked?: boolean | undefined;
  /** Beside the title: the links to the former and the next item. */
  tools?: ReactNode;
};

/** From this width on, the page has room beside a panel. */
const WIDE = '(min-width: 64rem)';

function onWidth(changed: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}
const readWidth = () => window.matchMedia(WIDE).matches;

/** What gets the focus on opening: a field, else the safest button of the footer, else the panel itself. */
function firstChoice(popup: HTMLElement | null): HTMLElement | null {
  return (
    popup?.querySelector<HTMLElement>(
      '[data-autofocus], input:not([type=hidden],:disabled), textarea:not(:disabled), select:not(:disabled)',
    ) ??
    popup?.querySelector<HTMLElement>('footer button') ??
    popup
  );
}

/**
 * The code of `Dialog` and `Sheet`; loaded on demand. `bare` shows the title to assistive technology only. `beside` leaves the page usable where
 * there is room: no veil, no focus trap, and a press on the page closes nothing.
 */
export default function Panel({
  open,
  onOpenChange,
  shape,
  title,
  description,
  children,
  footer,
  locked,
  tools,
}: PanelProps) {
  const bare = shape === 'bare';
  const popup = useRef<HTMLDivElement>(null);
  const isWide = useSyncExternalStore(onWidth, readWidth, () => false);
  const isBeside = shape === 'beside' && isWide;
  return (
    <Base.Root
      open={open}
      modal={!isBeside}
      disablePointerDismissal={isBeside}
      onOpenChange={(next) => {
        // Escape and a press outside then move the focus to the button that closes the panel.
        if (locked && !next) popup.current?.querySelector<HTMLElement>('footer button')?.focus();
        else onOpenChange(next);
      }}
    >
      <Base.Portal>
        {isBeside ? null : (
          <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        )}
        <Base.Popup
          ref={popup}
          data-panel
          data-beside={isBeside && open ? '' : undefined}
          initialFocus={() => firstChoice(popup.current)}
          className={cx(
            'fixed z-40 flex flex-col overflow-hidden border-line bg-raised text-ink shadow-raised outline-none transition-[translate,opacity] duration-200 ease-out',
            SHAPES[shape],
          )}
        >
          {/* Not a `header`: beside a usable page it would be a second banner landmark. */}
          <div className={cx('flex items-start gap-3 px-5 pt-4 pb-3', bare && 'sr-only')}>
            <div className="min-w-0 grow">
              <Base.Title className="wrap-anywhere font-semibold text-base">{title}</Base.Title>
              {description ? (
                <Base.Description className="mt-1 text-ink-soft text-sm" render={<div />}>
                  {description}
                </Base.Description>
              ) : null}
            </div>
            {tools}
            {locked ? null : (
              <Base.Close
                aria-label="Fermer"
                data-tip="Fermer · Échap"
                className="touch -mr-1.5 grid size-8 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
              >
                <Icon of={X} size={16} />
              </Base.Close>
            )}
          </div>
          <div className={cx('min-h-0 grow overflow-y-auto overscroll-contain', !bare && 'px-5 pt-1 pb-5')}>
            {children}
          </div>
          {footer ? (
            <footer className="flex flex-wrap justify-end gap-2 border-line border-t px-5 py-3">
              {footer}
            </footer>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
