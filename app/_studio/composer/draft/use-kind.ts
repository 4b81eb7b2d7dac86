'use client';
import { useSearchParams } from 'next/navigation';
import { useRef, useState } from 'react';
import { useOwnAddress, writeQuery } from '#app/_cockpit/address/use-own-address.ts';
import { type ComposerKind, kindOf } from './draft.ts';

/** The composer's own query: its kind, and the result that is shown. */
const naming = (kind: ComposerKind, shown: string | null) =>
  new URLSearchParams({ type: kind, ...(shown ? { resultat: shown } : {}) });

const inAddress = () => new URLSearchParams(window.location.search);

/** Whether the address gives a draft or fields of one: it names more than what the composer writes. */
const gives = () => [...inAddress().keys()].some((name) => name !== 'type' && name !== 'resultat');

/**
 * The kind and the result that is shown, kept in the address without the router. Choosing a kind adds a history entry, an address without a kind gets
 * the current one, and what a link gives is removed from the address at once. `isNews`: the address gives a draft that was not taken yet; a page that
 * is read again gives none.
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
      // Before the draft was read, only the address knows the kind.
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
