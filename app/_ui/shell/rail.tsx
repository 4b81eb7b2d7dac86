import { Icon } from '#app/_ui/icon.tsx';
import type { MemberRole } from '#lib/core/actor.ts';
import { NAV, navFor, PHONE_BAR, PHONE_ITEM } from './nav/nav.ts';
import { NAV_ICONS } from './nav/nav-icons.ts';
import { NavLink } from './nav/nav-link.tsx';

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
          <span
            className="block truncate text-ink-faint text-xs"
            data-tip={account.length > 22 ? account : undefined}
          >
            {account}
          </span>
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
  return navFor(founder).map((section) => (
    <section key={section.label} className="mt-4 first:mt-2">
      <h2 className="px-2.5 pb-1 font-medium text-ink-faint text-xs">{section.label}</h2>
      <ul className="space-y-px">
        {section.items
          .filter((item) => !item.unlisted)
          .map(({ href, label, key, counts: counted }) => (
            <li key={href}>
              <NavLink
                href={href}
                prefetch={false}
                data-tip={key ? `${label} · g ${key}` : undefined}
                className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-ink-soft text-sm transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11 aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-ink"
              >
                <NavIcon href={href} size={16} />
                {label}
                {counted && counts[counted] > 0 ? (
                  <span className="tabular ml-auto rounded-full bg-warn-soft px-1.5 text-warn text-xs">
                    {counts[counted] > MOST_COUNTED ? `${MOST_COUNTED}+` : counts[counted]}
                  </span>
                ) : null}
              </NavLink>
            </li>
          ))}
      </ul>
    </section>
  ));
}

function NavIcon({ href, size }: { href: string; size: number }) {
  const drawing = NAV_ICONS[href];
  return drawing ? <Icon of={drawing} size={size} strokeWidth={1.75} className="shrink-0" /> : null;
}

/** The pages of the phone's bar. */
export function PhoneLinks() {
  return NAV.flatMap((section) => section.items)
    .filter((item) => PHONE_BAR.includes(item.href))
    .map(({ href, label }) => (
      <NavLink key={href} href={href} prefetch={false} className={PHONE_ITEM}>
        <NavIcon href={href} size={20} />
        {label}
      </NavLink>
    ));
}

/** The sign of Atelier: a bench seen from above, its tool laid across. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg aria-hidden width={size} height={size} viewBox="0 0 24 24" className="shrink-0">
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
