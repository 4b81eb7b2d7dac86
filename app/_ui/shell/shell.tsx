import type { ReactNode } from 'react';
import { Frame } from './frame.tsx';
import { HeaderMeters } from './header-meters.tsx';
import type { ShellProps } from './types.ts';

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return ((words[0]?.[0] ?? '') + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toLocaleUpperCase(
    'fr',
  );
}

/** The frame of a page, with what the server alone writes: figures and initials. Pure: all it shows comes as props. */
export function Shell({ reads, balance, ...frame }: ShellProps & { children: ReactNode }) {
  return (
    <Frame
      {...frame}
      initials={initials(frame.member.name)}
      meters={<HeaderMeters reads={reads} balance={balance} />}
    />
  );
}
