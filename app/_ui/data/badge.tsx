import { Ban, CircleCheck, CircleX, Clock, LoaderCircle, TimerOff, Trash2 } from 'lucide';
import type { ReactNode } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { type DisplayedStatus, STATUS_LABELS } from '#lib/studio/generation/status-labels.ts';
import { cx } from '../cx.ts';
import { badgeClass, type Tone } from './badge-class.ts';

export type { Tone };

type BadgeProps = {
  tone?: Tone;
  icon?: IconDrawing;
  children: ReactNode;
  /** Tooltip that completes the label. */
  tip?: string;
  className?: string;
};

/** A short label: a state, a kind, a scope. */
export function Badge({ tone = 'mute', icon, children, tip, className }: BadgeProps) {
  return (
    <span data-tip={tip} className={cx(badgeClass(tone), className)}>
      {icon ? <Icon of={icon} size={14} strokeWidth={2} className="shrink-0" /> : null}
      <span className="truncate">{children}</span>
    </span>
  );
}

const STATUS: Record<DisplayedStatus, { tone: Tone; icon: IconDrawing }> = {
  running: { tone: 'run', icon: LoaderCircle },
  done: { tone: 'ok', icon: CircleCheck },
  failed: { tone: 'fail', icon: CircleX },
  quota: { tone: 'warn', icon: Clock },
  'no-callback': { tone: 'warn', icon: TimerOff },
  cancelled: { tone: 'mute', icon: Ban },
  deleted: { tone: 'mute', icon: Trash2 },
};

/** A generation's displayed status: colour, icon and word together. The icon turns slowly while the generation runs. */
export function Status({ status, tip }: { status: DisplayedStatus; tip?: string }) {
  const { tone, icon } = STATUS[status];
  return (
    <Badge
      tone={tone}
      icon={icon}
      {...(tip ? { tip } : {})}
      {...(status === 'running' ? { className: '[&_svg]:animate-[turn_2.4s_linear_infinite]' } : {})}
    >
      {STATUS_LABELS[status]}
    </Badge>
  );
}
