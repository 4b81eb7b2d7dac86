import type { ReactNode } from 'react';
import { Button } from '#app/_ui/action/button.tsx';
import { count } from '#app/_ui/format.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { findInvisible, type InvisibleKind, withoutInvisible } from '#lib/core/text/invisible.ts';

const WORDS: Record<InvisibleKind, [one: string, many: string]> = {
  tag: ['étiquette cachée', 'étiquettes cachées'],
  direction: ['changement du sens d’écriture', 'changements du sens d’écriture'],
  control: ['caractère de commande', 'caractères de commande'],
  'zero-width': ['caractère sans largeur', 'caractères sans largeur'],
};
/** The most code points that are named: a text may hold thousands of different ones. */
const MOST_CODES = 6;

type InvisibleNoticeProps = {
  title: string;
  body: string;
  /** Receives the text without these characters; absent if it cannot be edited. */
  onRemove?: (text: { title: string; body: string }) => void;
};

/** Warns the author or reader of invisible characters in a Memory, which prompts do not receive. */
export function InvisibleNotice({ title, body, onRemove }: InvisibleNoticeProps): ReactNode {
  const found = [...findInvisible(title), ...findInvisible(body)];
  if (found.length === 0) return null;
  const kinds = [...new Set(found.map(({ kind }) => kind))].map((kind) =>
    count(found.filter((one) => one.kind === kind).length, ...WORDS[kind]),
  );
  const codes = [...new Set(found.map(({ code }) => code))];
  return (
    <Notice
      tone="warn"
      role="status"
      action={
        onRemove ? (
          <Button
            size="sm"
            onClick={() => onRemove({ title: withoutInvisible(title), body: withoutInvisible(body) })}
          >
            Les retirer
          </Button>
        ) : null
      }
    >
      Il y a ici ce que l’œil ne voit pas&nbsp;: {kinds.join(', ')} ({codes.slice(0, MOST_CODES).join(', ')}
      {codes.length > MOST_CODES ? '…' : ''}). Le texte est gardé tel quel&nbsp;; ni un contexte ni un
      assistant ne reçoit ces caractères.
    </Notice>
  );
}
