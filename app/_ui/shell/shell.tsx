import type { ReactNode } from 'react';
import { outlineOf } from '../icon-outline.ts';
import { Frame } from './frame.tsx';
import { HeaderMeters } from './header-meters.tsx';
import { NAV_ICONS } from './nav/nav-icons.ts';
import type { ShellProps } from './types.ts';

const ICONS = Object.fromEntries(
  Object.entries(NAV_ICONS).map(([href, drawing]) => [href, outlineOf(drawing)]),
);

/** The first character of the first and the last word, whole: an emoji is two code units. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = (word = '') => [...word][0] ?? '';
  return (first(words[0]) + (words.length > 1 ? first(words.at(-1)) : '')).toLocaleUpperCase('fr');
}

/** The frame of a page, with what the server computes: figures, initials, icon paths. Pure: everything it shows comes from its props. */
export function Shell({ reads, balance, ...frame }: ShellProps & { children: ReactNode }) {
  return (
    <Frame
      {...frame}
      icons={ICONS}
      initials={initials(frame.member.name)}
      meters={<HeaderMeters reads={reads} balance={balance} />}
    />
  );
}
