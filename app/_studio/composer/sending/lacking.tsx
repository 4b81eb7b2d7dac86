'use client';
import { Wallet } from 'lucide-react';
import { dollars } from '#app/_studio/money-words.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import type { ComposerData } from '../draft/draft.ts';

const names = new Intl.ListFormat('fr-FR', { type: 'disjunction' });

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
          : `${founders.length > 0 ? names.format(founders) : 'Un fondateur du compte'} peut vous accorder un crédit. Votre demande reste ici.`}
      </p>
    </>
  );
}
