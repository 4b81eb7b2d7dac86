'use client';
import { useEffect, useState } from 'react';
import { Button } from '../../action/button.tsx';
import { knownAddress } from './known-address.ts';

/** Reloads the page, or opens the page above it if it shows a row that the new account does not have. */
function reload(): void {
  const { href } = window.location;
  const known = knownAddress(href);
  if (known === href) window.location.reload();
  else window.location.assign(known);
}

/**
 * Keeps on the page the member for whom it was first drawn, until the page is reloaded, even if its data is read again meanwhile. Warns when another
 * tab switches to another member, and stops when that tab switches back.
 */
export function OtherAccount({ memberId }: { memberId: string }) {
  const [drawnFor] = useState(memberId);
  const [now, setNow] = useState(memberId);
  useEffect(() => {
    // The style guide is drawn for no member.
    if (!drawnFor) return;
    const tabs = new BroadcastChannel('atelier:member');
    tabs.onmessage = ({ data }) => setNow(data);
    tabs.postMessage(drawnFor);
    return () => tabs.close();
  }, [drawnFor]);
  const isLeft = now !== drawnFor || memberId !== drawnFor;
  return (
    <div data-drawn-for={drawnFor} data-left={isLeft || undefined}>
      {isLeft ? (
        <p
          role="alert"
          className="flex flex-wrap items-center gap-3 border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn sm:px-6 lg:px-8"
        >
          Vous êtes passé à un autre compte dans un autre onglet. Rien ne s’enregistre plus d’ici.
          <Button size="sm" onClick={reload}>
            Recharger
          </Button>
        </p>
      ) : null}
    </div>
  );
}
