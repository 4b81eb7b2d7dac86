'use client';
import { type ComponentProps, type MouseEvent, useState } from 'react';
import { download } from './download.ts';

type Props = { href: string } & Omit<ComponentProps<'a'>, 'href' | 'download' | 'onClick'>;

/** A link to a file that may be refused (no file left, too large, an ended session): the service is asked first, and once however often the link is pressed. */
export function AskedDownload({ href, children, ...rest }: Props) {
  const [asking, setAsking] = useState(false);
  const press = async (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    if (asking) return;
    setAsking(true);
    await download(href);
    setAsking(false);
  };
  return (
    <a href={href} download aria-busy={asking} onClick={press} {...rest}>
      {children}
    </a>
  );
}
