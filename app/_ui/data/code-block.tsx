// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: the role is a tabpanel or a region, both take a label
'use client';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { CopyButton } from '../action/copy-button.tsx';
import { cx } from '../cx.ts';

export type CodeSample = { label: string; code: string };

/** One code sample, or the same call in several languages, as tabs. The whole sample is copied; long lines scroll inside the frame. */
export function CodeBlock({
  samples,
  label = 'Code',
  className,
}: {
  samples: CodeSample[];
  label?: string;
  className?: string;
}) {
  const [active, setActive] = useState(0);
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const sample = samples[Math.min(active, samples.length - 1)];
  if (!sample) return null;

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (active + step + samples.length) % samples.length;
    setActive(next);
    tabs.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };

  return (
    <div className={cx('min-w-0 overflow-hidden rounded-md border border-line bg-sunken', className)}>
      <div className="flex min-h-10 items-center justify-between gap-2 border-line border-b pr-1 pl-2">
        {samples.length > 1 ? (
          <div
            ref={tabs}
            role="tablist"
            aria-label={label}
            className="flex min-w-0 gap-1 overflow-x-auto"
            onKeyDown={move}
          >
            {samples.map((one, index) => (
              <button
                key={one.label}
                type="button"
                role="tab"
                id={`${id}-tab-${index}`}
                aria-selected={index === active}
                aria-controls={`${id}-panel`}
                tabIndex={index === active ? 0 : -1}
                onClick={() => setActive(index)}
                className={cx(
                  'touch h-8 rounded-xs px-2 text-xs focus-visible:-outline-offset-2',
                  index === active ? 'font-medium text-ink' : 'text-ink-faint hover:text-ink',
                )}
              >
                {one.label}
              </button>
            ))}
          </div>
        ) : (
          <span className="px-1 text-ink-faint text-xs">{sample.label}</span>
        )}
        <CopyButton compact text={sample.code} label="Copier le code" />
      </div>
      <pre
        id={`${id}-panel`}
        role={samples.length > 1 ? 'tabpanel' : 'region'}
        aria-label={sample.label}
        tabIndex={0}
        className="overflow-x-auto px-3.5 py-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
      >
        <code>{sample.code}</code>
      </pre>
    </div>
  );
}
