'use client';
import { Wallet } from 'lucide';
import { useEffect, useRef } from 'react';
import { dollars } from '#app/_studio/money-words.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { capitalized } from '#app/_ui/format.ts';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import type { ComposerData } from '../draft/draft.ts';

type LackingProps = { data: ComposerData; lacks: number; pressed: boolean };

/** Shown instead of the send button: how much is missing, and who can help. `pressed`: the button may have had the focus, which moves to the link. */
export default function Lacking({ data, lacks, pressed }: LackingProps) {
  const { isFounder, founders } = data.credit;
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (pressed && document.activeElement === document.body) link.current?.focus({ preventScroll: true });
  }, [pressed]);
  return (
    <>
      <LinkButton
        ref={link}
        data-lacks
        variant="primary"
        icon={Wallet}
        href="/portefeuille"
        className="min-w-60 grow sm:grow-0"
      >
        Il manque {dollars(lacks)} · {isFounder ? 'accorder un crédit' : 'voir le portefeuille'}
      </LinkButton>
      <p className="w-full text-ink-soft text-sm">
        {isFounder
          ? 'Vous pouvez accorder un crédit depuis le portefeuille. Votre demande reste ici.'
          : `${capitalized(founderWords(founders))} peut vous accorder un crédit. Votre demande reste ici.`}
      </p>
    </>
  );
}
