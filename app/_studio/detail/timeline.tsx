import type { ReactNode } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { Time } from '#app/_ui/text/time.tsx';

export type Step = {
  key: string;
  icon: IconDrawing;
  label: ReactNode;
  note?: ReactNode;
  /** What can be done about it. */
  action?: ReactNode;
  at?: Date | string | null;
  /** Not reached yet. */
  pending?: boolean;
  tone?: 'ok' | 'fail' | 'warn' | 'run';
};

const TONES = {
  ok: 'bg-ok-soft text-ok',
  fail: 'bg-fail-soft text-fail',
  warn: 'bg-warn-soft text-warn',
  run: 'bg-run-soft text-run',
};

/** What happened in order, one line each, down a thin rule. */
export function Timeline({ steps, now }: { steps: Step[]; now: Date }) {
  return (
    <ol className="flex flex-col">
      {steps.map((step, index) => (
        <li key={step.key} className="relative flex gap-3 pb-4 last:pb-0">
          {index < steps.length - 1 ? (
            <span aria-hidden className="absolute top-7 bottom-0 left-3.5 w-px bg-line" />
          ) : null}
          <span
            className={cx(
              'grid size-7 shrink-0 place-items-center rounded-full',
              step.pending ? 'border border-line border-dashed text-ink-faint' : TONES[step.tone ?? 'ok'],
            )}
          >
            <Icon of={step.icon} size={14} strokeWidth={2} />
          </span>
          <div className="min-w-0 grow pt-1 text-sm">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className={cx('wrap-anywhere min-w-0', step.pending ? 'text-ink-soft' : 'font-medium')}>
                {step.label}
              </span>
              {step.at ? <Time at={step.at} now={now} className="text-ink-faint text-xs" /> : null}
            </div>
            {step.note ? <div className="wrap-anywhere mt-0.5 text-ink-soft">{step.note}</div> : null}
            {step.action ? <div className="mt-2">{step.action}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
