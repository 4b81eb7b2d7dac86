import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { CopyButton } from '../action/copy-button.tsx';
import { cx } from '../cx.ts';

const TONES = {
  info: { icon: Info, className: 'bg-run-soft text-run' },
  ok: { icon: CircleCheck, className: 'bg-ok-soft text-ok' },
  warn: { icon: TriangleAlert, className: 'bg-warn-soft text-warn' },
  fail: { icon: CircleAlert, className: 'bg-fail-soft text-fail' },
};

type NoticeProps = {
  tone: keyof typeof TONES;
  children: ReactNode;
  /** What the reader can do about it. */
  action?: ReactNode;
  /** Shown for a report, with a button to copy it. */
  requestId?: string | undefined;
  role?: 'alert' | 'status';
  className?: string;
};

/** A message in the page: what is missing and why, what was refused. */
export function Notice({ tone, children, action, requestId, role, className }: NoticeProps) {
  const { icon, className: colours } = TONES[tone];
  return (
    <div
      role={role}
      className={cx(
        'flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md px-3.5 py-2.5 text-sm',
        colours,
        className,
      )}
    >
      <Icon of={icon} size={16} strokeWidth={2} className="mt-0.5 shrink-0" />
      <div className="wrap-anywhere min-w-0 grow basis-48 text-ink">{children}</div>
      {action}
      {requestId ? <RequestId id={requestId} /> : null}
    </div>
  );
}

/** The identifier of a request, with a button to copy it. */
export function RequestId({ id }: { id: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 text-ink-faint text-xs">
      <span className="truncate font-mono">{id}</span>
      <CopyButton compact text={id} label="Copier l’identifiant de la requête" />
    </span>
  );
}
