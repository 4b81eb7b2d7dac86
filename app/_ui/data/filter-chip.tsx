'use client';
import Link, { useLinkStatus } from 'next/link';
import type { ReactNode } from 'react';

type FilterChipProps = {
  href: string;
  label: ReactNode;
  active: boolean;
  /** Goes there in the page's own way instead; a click that opens elsewhere still follows `href`. */
  onGo?: () => void;
};

/** A filter as a chip: what it filters by, whether it is in force, and that its answer is awaited. */
export function FilterChip({ href, label, active, onGo }: FilterChipProps) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-current={active ? 'true' : undefined}
      {...(onGo
        ? {
            // Without network it waits by itself, and is asked for once it is back.
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

/** Shown while the page that the link asks for is on its way. */
function Awaited() {
  const { pending } = useLinkStatus();
  return pending ? (
    <span
      aria-hidden
      className="pointer-events-none absolute inset-x-0 bottom-0 h-0.5 animate-breathe bg-accent"
    />
  ) : null;
}
