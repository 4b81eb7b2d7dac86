'use client';
import { useEffect, useState } from 'react';
import { Button } from '../../action/button.tsx';
import { knownAddress } from './known-address.ts';

/** Loads the page anew, or the one above it when it shows a row that the account now chosen does not have. */
function reload(): void {
  const { href } = window.location;
  const known = knownAddress(href);
  if (known === href) window.location.reload();
  else window.location.assign(known);
}

/**
 * Says on the page for which member it was drawn, as it came: it stays theirs until it is loaded anew, whatever is read again in it
 * meanwhile. Tells when another tab goes on as another member, and when it comes back.
 */
export function OtherAccount({ memberId }: { memberId: string }) {
  const [drawnFor] = useState(memberId);
  const [now, setNow] = useState(memberId);
  useEffect(() => {
    // The style guide is nobody's.
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
