'use client';
import Link, { useLinkStatus } from 'next/link';
import type { ReactNode } from 'react';

type FilterChipProps = {
  href: string;
  label: ReactNode;
  active: boolean;
  /** Called instead of following `href`; a click that opens another tab still follows it. */
  onGo?: () => void;
};

/** A filter as a chip: its label, whether it is active, and a bar while the page of its link loads. */
export function FilterChip({ href, label, active, onGo }: FilterChipProps) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={active ? 'true' : undefined}
      {...(onGo
        ? {
            // `Offline` does not hold this link back: without network, `onGo` itself waits for it.
            'data-waits': '',
            onNavigate: (event: { preventDefault(): void }) => {
              event.preventDefault();
              onGo();
            },
          }
        : {})}
      className="chip touch"
    >
      {label}
      <Awaited />
    </Link>
  );
}

/** Shown while the page of the surrounding link loads. */
function Awaited() {
  const { pending } = useLinkStatus();
  return pending ? (
    <span
      aria-hidden
      className="pointer-events-none absolute inset-x-0 bottom-0 h-0.5 animate-breathe bg-accent"
    />
  ) : null;
}
