'use client';
import { useSearchParams } from 'next/navigation';
import { useRef, useState } from 'react';
import { useOwnAddress, writeQuery } from '#app/_cockpit/address/use-own-address.ts';
import { type ComposerKind, kindOf } from './draft.ts';

/** The composer's own query: its kind, and the result that is looked at. */
const naming = (kind: ComposerKind, shown: string | null) =>
  new URLSearchParams({ type: kind, ...(shown ? { resultat: shown } : {}) });

const inAddress = () => new URLSearchParams(window.location.search);

/** Whether an address gives a draft or fields of one: it names more than the composer writes there. */
const gives = () => [...inAddress().keys()].some((name) => name !== 'type' && name !== 'resultat');

/**
 * The kind and the result that is looked at, kept in the address beside the router: a kind that is chosen is a step that « back » undoes, an
 * address that names none gets the one at hand, and what a link gives leaves it at once. `isNews`: the address that came gives a draft
 * which was not taken yet; one that is only read again gives nothing more.
 */
export function useKind(
  { kind, ready, drawnFor }: { kind: ComposerKind; ready: boolean; drawnFor: string },
  follow: (kind: ComposerKind) => void,
) {
  const search = useSearchParams();
  const [shown, show] = useState(search.get('resultat'));
  const isNews = useRef(false);
  const { push } = useOwnAddress({
    isDrawn: drawnFor === search.toString(),
    isOwn: () => !gives(),
    settle: (isOther) => {
      const query = inAddress();
      if (isOther) isNews.current = gives();
      const here = isOther
        ? { kind: kindOf(query.get('type')) ?? kind, shown: query.get('resultat') }
        : { kind, shown };
      if (isOther) show(here.shown);
      // Before the draft was read, the address alone knows its kind.
      if (!ready) return;
      if (here.kind !== kind) follow(here.kind);
      const own = naming(here.kind, here.shown);
      if (window.location.search !== `?${own}`) writeQuery(own);
    },
  });
  const choose = (next: ComposerKind) => {
    follow(next);
    push(naming(next, shown));
  };
  return { isNews, address: { shown, show, choose } };
}
