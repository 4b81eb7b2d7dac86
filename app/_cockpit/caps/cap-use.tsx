import { usd } from '#app/_ui/format.ts';

/** How much of its monthly cap a key or an application has spent; a dash for one that cannot spend. */
export function CapUse({ cap, used }: { cap: bigint | null; used: bigint | null }) {
  if (cap === null) return <span className="text-ink-faint">—</span>;
  return (
    <span className="tabular whitespace-nowrap">
      {usd(used ?? 0n)} <span className="text-ink-faint">/ {usd(cap)}</span>
    </span>
  );
}
