'use client';
import { type ReactNode, useEffect, useState } from 'react';
import { mustStay, WAITS } from '../must-stay.ts';
import { useOnline } from '../use-online.ts';

/** The link within the service that a click would follow, leaving the page. Null for a filter, which waits for the network itself. */
function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a:not([data-waits])') : null;
  if (!link?.href || link.origin !== window.location.origin) return null;
  const isHere = link.pathname === window.location.pathname && link.search === window.location.search;
  return isHere && link.hash ? null : link;
}

/** Without network: says so, prevents links from leaving the page, and names the page that waits. `children` are shown in both cases. */
export function Offline({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  const online = useOnline();
  const [waits, setWaits] = useState('');
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event);
      if (link && mustStay(link.textContent?.trim() || link.ariaLabel || '')) event.preventDefault();
    };
    const onWait = (event: Event) => setWaits(String((event as CustomEvent).detail).slice(0, 60));
    // In the capture phase, before the links themselves, which would request the page.
    document.addEventListener('click', onClick, true);
    window.addEventListener(WAITS, onWait);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener(WAITS, onWait);
    };
  }, []);
  if (online && waits) setWaits('');
  return (
    <div role="status" className="sticky top-[calc(3.5rem+var(--safe-top))] z-20">
      {children}
      {online ? null : (
        <p className="flex items-start gap-2 border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn sm:px-6 lg:px-8">
          {icon}
          <span>
            Pas de réseau. Cette page reste là, avec ce que vous y écrivez.
            {waits ? ` Vous ouvrirez «\u00a0${waits}\u00a0» quand il sera revenu.` : ''}
          </span>
        </p>
      )}
    </div>
  );
}
