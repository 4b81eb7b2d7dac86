'use client';
import { type ReactNode, useState } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { date } from '#app/_ui/format.ts';
import type { IconDrawing } from '#app/_ui/icon.tsx';
import { Dialog, preloadDialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import type { Control } from '#app/_ui/use-asked.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import { focusBeside } from '../focus/focus-beside.ts';

/**
 * The answer of a verb that created a secret, which is shown once. `previousEndsAt`: when the replaced secret stops working; null if none is
 * replaced.
 */
export type ShownOnce = { secret: string; previousEndsAt: Date | null };

/** The texts of the dialog for one kind of secret. */
export type SecretWords<Made extends ShownOnce> = {
  ready: (made: Made) => string;
  copied: string;
  copy: string;
  warning: ReactNode;
  previousUntil: (day: string) => string;
  previousEnded: string;
};

type Props<Made extends ShownOnce> = {
  label: ReactNode;
  title: string;
  variant: 'primary' | 'quiet';
  icon: IconDrawing;
  /** The state of the dialog, if the button is not the only thing that opens or closes it. */
  control?: Control;
  words: SecretWords<Made>;
  /** Shown below the secret, in a wide dialog. */
  below?: (made: Made) => ReactNode;
  children: (done: (made: Made | undefined) => void, close: () => void) => ReactNode;
};

/**
 * A button whose dialog holds a form, then the secret that the form created, shown once, even if the dialog was closed meanwhile. An answer without a
 * secret closes the dialog. The page is read again once the secret is put away, not by the action: the button may stand in a row or an empty page
 * that would disappear.
 */
export function SecretDialog<Made extends ShownOnce>(props: Props<Made>) {
  const { label, title, variant, icon, words, below, children, control } = props;
  const own = useState(false);
  const [open, setOpen] = control ?? own;
  const [made, setMade] = useState<Made | null>(null);
  const refresh = useRefresh();
  const close = () => {
    setOpen(false);
    if (made) refresh();
  };
  const done = (next: Made | undefined) => {
    if (!next) return close();
    setMade(next);
    setOpen(true);
  };
  const footer = (
    <Button variant="primary" onClick={close}>
      {words.copied}
    </Button>
  );
  return (
    <>
      <Button
        ref={focusBeside}
        variant={variant}
        size={variant === 'quiet' ? 'sm' : 'md'}
        {...(variant === 'primary' ? { icon } : {})}
        aria-haspopup="dialog"
        onPointerEnter={preloadDialog}
        onFocus={preloadDialog}
        onClick={() => {
          setMade(null);
          setOpen(true);
        }}
      >
        {label}
      </Button>
      <Dialog
        wide={made !== null && below !== undefined}
        locked={made !== null}
        open={open}
        onOpenChange={setOpen}
        title={made ? words.ready(made) : title}
        {...(made ? { footer } : {})}
      >
        {made ? (
          <div className="flex flex-col gap-4">
            <Secret made={made} words={words} />
            {below?.(made)}
          </div>
        ) : (
          children(done, close)
        )}
      </Dialog>
    </>
  );
}

function Secret<Made extends ShownOnce>({ made, words }: { made: Made; words: SecretWords<Made> }) {
  const endsAt = made.previousEndsAt ? new Date(made.previousEndsAt) : null;
  return (
    <>
      <Notice tone="warn">{words.warning}</Notice>
      <div className="flex flex-wrap items-center gap-3 rounded-md border border-line bg-sunken p-3">
        <code className="min-w-0 grow basis-64 break-all font-mono text-base">{made.secret}</code>
        <CopyButton text={made.secret} label={words.copy} variant="primary" />
      </div>
      {endsAt ? (
        <p className="text-ink-soft text-sm">
          {endsAt > new Date() ? words.previousUntil(date(endsAt)) : words.previousEnded}
        </p>
      ) : null}
    </>
  );
}
