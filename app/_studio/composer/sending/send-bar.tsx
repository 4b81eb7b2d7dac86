'use client';
import { Sparkles } from 'lucide-react';
import { dollars } from '#app/_studio/words.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Kbd } from '#app/_ui/text/kbd.tsx';
import { toast } from '#app/_ui/toast.ts';
import { clearKind } from '../draft/clear-kind.ts';
import type { ComposerData, Draft } from '../draft/draft.ts';
import type { Change } from '../draft/use-draft.ts';
import type { PreviewState } from '../preview/use-preview.ts';

type Props = {
  draft: Draft;
  data: ComposerData;
  change: Change;
  state: PreviewState;
  /** Why the press sent nothing. */
  problem: string | null;
  blocked: boolean;
  uploading: boolean;
  /** This very request is on its way. */
  pending: boolean;
  onCleared: () => void;
};

/** The foot of the composer: the button that says the price of this very request, and, apart from it, what empties the kind. */
export function SendBar({
  draft,
  data,
  change,
  state,
  problem,
  blocked,
  uploading,
  pending,
  onCleared,
}: Props) {
  const clear = clearKind(draft, data);
  const empty = () => {
    if (!clear) return;
    change(clear.cleared);
    onCleared();
    toast({
      title: 'Demande vidée',
      description: 'Ce que les autres types ont en propre est gardé.',
      undo: { run: () => change(clear.restored) },
    });
  };
  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-ground/95 px-4 py-3 backdrop-blur-sm max-lg:bottom-16 sm:mx-0 sm:px-0">
      {problem ? (
        <p role="alert" className="w-full text-fail text-sm">
          {problem}
        </p>
      ) : null}
      <Button
        type="submit"
        variant="primary"
        icon={Sparkles}
        disabled={blocked}
        pending={pending}
        // The second half of a double click is no second request.
        onClick={(event) => {
          if (event.detail > 1) event.preventDefault();
        }}
        className="min-w-60"
      >
        Générer
        {state.stale ? (
          <span className="font-normal opacity-80"> · calcul…</span>
        ) : state.preview ? (
          ` · retient ${dollars(state.preview.heldUsd)}`
        ) : null}
      </Button>
      <span className="text-ink-faint text-xs max-sm:hidden">
        <Kbd keys="Ctrl ↵" />
      </span>
      {uploading ? (
        <span role="status" className="text-ink-soft text-sm">
          {draft.kind === 'voice' ? 'Le document arrive encore…' : 'Une référence arrive encore…'}
        </span>
      ) : null}
      <Button variant="quiet" size="sm" className="ml-auto" disabled={!clear} onClick={empty}>
        Vider
      </Button>
    </div>
  );
}
