import { cx } from '../cx.ts';

/** The logo of Atelier: a workbench seen from above, with a tool across it. */
export function Mark({ size = 24, className }: { size?: number; className?: string }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" className={cx('shrink-0', className)}>
      <rect width="24" height="24" rx="6" className="fill-accent" />
      <path
        d="M6.5 17.5 11 6.5h2l4.5 11M8.6 13.5h6.8"
        fill="none"
        className="stroke-on-accent"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
