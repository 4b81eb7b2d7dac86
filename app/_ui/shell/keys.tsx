'use client';
import { usePathname, useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { mustStay } from '#app/_ui/must-stay.ts';
import type { Permission } from '#lib/core/actor.ts';
import { lazyPart } from '../lazy-part.ts';
import { isModPressed } from '../text/mod-key.tsx';
import { isTyping } from '../typing.ts';
import { navFor } from './nav/nav.ts';
import { rememberAddress } from './palette/recents.ts';

type Opened = { onOpenChange: (open: boolean) => void };
const leave = ({ onOpenChange }: Opened) => onOpenChange(false);
const Palette = lazyPart(() => import('./palette/palette.tsx'), null, leave);
const Help = lazyPart(() => import('./help.tsx'), null, leave);
const SEQUENCE_MS = 1200;

type KeysProps = { founder: boolean; permissions: readonly Permission[]; createsSpaces: boolean };

/** Shortcuts of the whole cockpit: Ctrl K (Command K on a Mac), `g` and a letter, `/`, `?`. Inactive in a text field or under a dialog. */
export function Keys({ founder, permissions, createsSpaces }: KeysProps) {
  const router = useRouter();
  const path = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each new path, and reads the address by itself
  useEffect(() => rememberAddress(window.location.pathname + window.location.search), [path]);
  // Null until the first opening; kept afterwards, so that the closing animation is seen.
  const [palette, setPalette] = useState<boolean | null>(null);
  const [help, setHelp] = useState<boolean | null>(null);

  useEffect(() => {
    const openPalette = () => {
      rememberAddress(window.location.pathname + window.location.search);
      setPalette(true);
    };
    const openHelp = () => setHelp(true);
    const items = navFor(founder).flatMap((section) => section.items);
    let since = Number.NEGATIVE_INFINITY;
    const down = (event: KeyboardEvent) => {
      if (isModPressed(event) && !event.shiftKey && event.key.toLowerCase() === 'k') {
        // A field whose editor uses this key to insert a link has handled it.
        if (event.defaultPrevented) return;
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('[data-panel]:not([data-beside])')) return;
      const place =
        event.timeStamp - since < SEQUENCE_MS ? items.find(({ key }) => key === event.key) : undefined;
      since = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (place) {
        event.preventDefault();
        if (!mustStay(place.label)) router.push(place.href);
      } else if (event.key === '?') {
        event.preventDefault();
        openHelp();
      } else if (event.key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLElement>('[data-search]');
        if (field) field.focus();
        else openPalette();
      }
    };
    document.addEventListener('keydown', down);
    window.addEventListener('atelier:palette', openPalette);
    window.addEventListener('atelier:help', openHelp);
    return () => {
      document.removeEventListener('keydown', down);
      window.removeEventListener('atelier:palette', openPalette);
      window.removeEventListener('atelier:help', openHelp);
    };
  }, [founder, router]);

  return (
    <>
      {palette === null ? null : (
        <Palette open={palette} onOpenChange={setPalette} {...{ founder, permissions, createsSpaces }} />
      )}
      {help === null ? null : <Help open={help} onOpenChange={setHelp} founder={founder} />}
    </>
  );
}
