import Link from 'next/link';
import { Icon } from '#app/_ui/icon.tsx';
import type { MemberRole } from '#lib/core/actor.ts';
import { cx } from '../cx.ts';
import { NAV, navFor, PHONE_BAR } from './nav/nav.ts';
import { NAV_ICONS } from './nav/nav-icons.ts';
import { useCurrent } from './nav/use-current.ts';

/** What is counted further is said as « 99+ ». */
const MOST_COUNTED = 99;

/** Navigation of the wide screens. */
export function Rail({ account, role, ...counts }: { account: string; role: MemberRole } & NavCounts) {
  return (
    <aside className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-line border-r max-lg:hidden">
      <div className="flex h-14 shrink-0 items-center gap-2.5 px-4">
        <Mark />
        <span className="min-w-0">
          <span className="block font-semibold text-sm leading-4">Atelier</span>
          <span className="block truncate text-ink-faint text-xs">{account}</span>
        </span>
      </div>
      <nav aria-label="Navigation principale" className="min-h-0 grow overflow-y-auto px-2 pb-4">
        <NavGroups founder={role === 'FOUNDER'} {...counts} />
      </nav>
    </aside>
  );
}

type NavCounts = { toReview: number };

/** The sections and their links, for the rail and for the phone's sheet. */
export function NavGroups({ founder, ...counts }: { founder: boolean } & NavCounts) {
  const currentOf = useCurrent();
  return navFor(founder).map((section) => (
    <section key={section.label} className="mt-4 first:mt-2">
      <h2 className="px-2.5 pb-1 font-medium text-ink-faint text-xs">{section.label}</h2>
      <ul className="space-y-px">
        {section.items
          .filter((item) => !item.unlisted)
          .map(({ href, label, key, counts: counted }) => (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                aria-current={currentOf(href)}
                data-tip={key ? `${label} · g ${key}` : undefined}
                className="nav-link"
              >
                <NavIcon href={href} size={16} />
                {label}
                {counted && counts[counted] > 0 ? (
                  <span className="tabular ml-auto rounded-full bg-warn-soft px-1.5 text-warn text-xs">
                    {counts[counted] > MOST_COUNTED ? `${MOST_COUNTED}+` : counts[counted]}
                  </span>
                ) : null}
              </Link>
            </li>
          ))}
      </ul>
    </section>
  ));
}

function NavIcon({ href, size }: { href: string; size: number }) {
  const drawing = NAV_ICONS[href];
  return drawing ? <Icon of={drawing} size={size} strokeWidth={1.75} /> : null;
}

/** The pages of the phone's bar. */
export function PhoneLinks() {
  const currentOf = useCurrent();
  return NAV.flatMap((section) => section.items)
    .filter((item) => PHONE_BAR.includes(item.href))
    .map(({ href, label }) => (
      <Link key={href} href={href} prefetch={false} aria-current={currentOf(href)} className="phone-item">
        <NavIcon href={href} size={20} />
        {label}
      </Link>
    ));
}

/** The sign of Atelier: a bench seen from above, its tool laid across. */
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
