'use client';
import { Wallet } from 'lucide';
import { dollars } from '#app/_studio/money-words.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { capitalized } from '#app/_ui/format.ts';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import type { ComposerData } from '../draft/draft.ts';

/** In place of the button: how much is missing, and who can help. */
export default function Lacking({ data, lacks }: { data: ComposerData; lacks: number }) {
  const { isFounder, founders } = data.credit;
  return (
    <>
      <LinkButton
        data-lacks
        variant="primary"
        icon={Wallet}
        href="/portefeuille"
        className="min-w-60 grow sm:grow-0"
      >
        Il manque {dollars(lacks)} · {isFounder ? 'accorder un crédit' : 'voir le portefeuille'}
      </LinkButton>
      <p role="status" className="w-full text-ink-soft text-sm">
        {isFounder
          ? 'Vous pouvez accorder un crédit depuis le portefeuille. Votre demande reste ici.'
          : `${capitalized(founderWords(founders))} peut vous accorder un crédit. Votre demande reste ici.`}
      </p>
    </>
  );
}
