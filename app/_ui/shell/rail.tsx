import Link from 'next/link';
import { Outline } from '#app/_ui/icon.tsx';
import type { MemberRole } from '#lib/core/actor.ts';
import { Mark } from './mark.tsx';
import { NAV, navFor, PHONE_BAR } from './nav/nav.ts';
import { useCurrent } from './nav/use-current.ts';

/** A larger count is shown as « 99+ ». */
const MOST_COUNTED = 99;

/** What the links of the navigation show. */
type NavLooks = {
  toReview: number;
  /** The path data of each page's icon, by address. */
  icons: Readonly<Record<string, string>>;
};

/** The navigation of wide screens. */
export function Rail({ account, role, ...looks }: { account: string; role: MemberRole } & NavLooks) {
  return (
    <aside className="sticky top-0 flex h-dvh w-56 shrink-0 flex-col border-line border-r pt-(--safe-top) max-lg:hidden">
      <div className="flex h-14 shrink-0 items-center gap-2.5 px-4">
        <Mark />
        <span className="min-w-0">
          <span className="block font-semibold text-sm leading-4">Atelier</span>
          <span className="block truncate text-ink-faint text-xs">{account}</span>
        </span>
      </div>
      <nav aria-label="Navigation principale" className="min-h-0 grow overflow-y-auto px-2 pb-4">
        <NavGroups founder={role === 'FOUNDER'} {...looks} />
      </nav>
    </aside>
  );
}

/** The sections and their links, for the rail and the phone's sheet. */
export function NavGroups({ founder, icons, ...counts }: { founder: boolean } & NavLooks) {
  const currentOf = useCurrent();
  return navFor(founder).map((section) => (
    <section key={section.label} className="mt-4 first:mt-2">
      <h2 className="px-2.5 pb-1 font-medium text-ink-faint text-xs">{section.label}</h2>
      <ul role="list" className="space-y-px">
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
                <NavIcon line={icons[href]} size={16} />
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

function NavIcon({ line, size }: { line: string | undefined; size: number }) {
  return line ? <Outline d={line} size={size} strokeWidth={1.75} /> : null;
}

/** The links of the phone's bar. */
export function PhoneLinks({ icons }: Pick<NavLooks, 'icons'>) {
  const currentOf = useCurrent();
  return NAV.flatMap((section) => section.items)
    .filter((item) => PHONE_BAR.includes(item.href))
    .map(({ href, label }) => (
      <Link key={href} href={href} prefetch={false} aria-current={currentOf(href)} className="phone-item">
        <NavIcon line={icons[href]} size={20} />
        {label}
      </Link>
    ));
}
