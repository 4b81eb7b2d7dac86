import type { ReactNode } from 'react';
import { cx } from '#app/_ui/cx.ts';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { Time } from '#app/_ui/text/time.tsx';

export type Step = {
  key: string;
  icon: IconDrawing;
  label: ReactNode;
  note?: ReactNode;
  /** What can be done at this step. */
  action?: ReactNode;
  at?: Date | string | null;
  /** Whether the step is still to come. */
  pending?: boolean;
  tone?: 'ok' | 'fail' | 'warn' | 'run';
};

const TONES = {
  ok: 'bg-ok-soft text-ok',
  fail: 'bg-fail-soft text-fail',
  warn: 'bg-warn-soft text-warn',
  run: 'bg-run-soft text-run',
};

/** Steps in order, one line each, beside a thin vertical rule (`.timeline` in app/_ui/styles). */
export function Timeline({ steps, now }: { steps: Step[]; now: Date }) {
  return (
    <ol role="list" className="timeline">
      {steps.map((step) => (
        <li key={step.key}>
          <Icon
            of={step.icon}
            className={
              step.pending
                ? 'border border-line border-dashed p-1.5 text-ink-faint'
                : TONES[step.tone ?? 'ok']
            }
          />
          <div>
            <span className={cx('wrap-anywhere min-w-0', step.pending ? 'text-ink-soft' : 'font-medium')}>
              {step.label}
            </span>
            {step.at ? <Time at={step.at} now={now} className="text-ink-faint text-xs" /> : null}
            {step.note ? <div className="wrap-anywhere mt-0.5 text-ink-soft">{step.note}</div> : null}
            {step.action ? <div className="mt-2">{step.action}</div> : null}
          </div>
        </li>
      ))}
    </ol>
  );
}
