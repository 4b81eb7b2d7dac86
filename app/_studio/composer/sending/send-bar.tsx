'use client';
import { Sparkles } from 'lucide';
import { dollars } from '#app/_studio/money-words.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { latePart } from '#app/_ui/late-part.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { Kbd } from '#app/_ui/text/kbd.tsx';
import type { ComposerData, Draft } from '../draft/draft.ts';
import type { Change } from '../draft/use-draft.ts';
import { onlyOne, severalWords, variantsOf } from '../draft/variants.ts';
import type { PreviewState } from '../preview/use-preview.ts';

type Props = {
  draft: Draft;
  data: ComposerData;
  change: Change;
  state: PreviewState;
  /** Why the last press sent nothing. */
  problem: string | null;
  blocked: boolean;
  uploading: boolean;
  /** Whether this exact request is being sent. */
  pending: boolean;
  /** What the wallet lacks for the request, in dollars; null if it lacks nothing. */
  lacks: number | null;
  online: boolean;
  /** Whether the send button was pressed. */
  pressed: boolean;
  onCleared: () => void;
};

const HowMany = latePart(() => import('./how-many.tsx'), <span className="h-9.5 w-39" />, null);
const ClearButton = latePart(() => import('./clear-button.tsx'), <span className="ml-auto h-8 w-16" />, null);
const Lacking = lazyPart(() => import('./lacking.tsx'));

/** The footer of the composer: the number of generations, the button with the price of the current request, and a button that clears the kind. */
export function SendBar(props: Props) {
  const { draft, data, change, problem, uploading, lacks, online, pressed, onCleared } = props;
  return (
    <div className="send-bar -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t bg-ground/95 px-4 py-3 backdrop-blur-sm max-lg:bottom-[calc(4rem+var(--safe-bottom))] sm:mx-0 sm:px-0 lg:pb-[calc(0.75rem+var(--safe-bottom))]">
      {problem ? (
        <p role="alert" className="w-full text-fail text-sm">
          {problem}
        </p>
      ) : null}
      {onlyOne(draft) === 'never' ? null : <HowMany draft={draft} change={change} />}
      {lacks === null ? <Press {...props} /> : null}
      {/* All three regions are in the page before their text: some screen readers do not announce a region that
          appears with its text. */}
      <div role="status" className="contents">
        {lacks === null ? null : <Lacking data={data} lacks={lacks} pressed={pressed} />}
      </div>
      {lacks === null ? <Kbd keys="Mod ↵" className="max-sm:hidden" /> : null}
      <span role="status" className="text-ink-soft text-sm empty:absolute">
        {uploading && !online ? 'Sans réseau\u00a0: ' : null}
        {uploading
          ? draft.kind === 'voice'
            ? 'Le document arrive encore…'
            : 'Une référence arrive encore…'
          : null}
      </span>
      <ClearButton draft={draft} data={data} change={change} onCleared={onCleared} />
      <p role="status" className="w-full text-ink-soft text-sm empty:absolute">
        {online
          ? null
          : 'Sans réseau. Ce que vous écrivez est gardé ici\u00a0; une demande que vous lancez attend, et part à son retour.'}
      </p>
    </div>
  );
}

function Press({ draft, state, blocked, pending, online }: Props) {
  const several = severalWords(draft.kind, variantsOf(draft));
  return (
    <Button
      type="submit"
      variant="primary"
      icon={Sparkles}
      disabled={blocked}
      pending={pending}
      // The second click of a double click sends nothing.
      onClick={(event) => {
        if (event.detail > 1) event.preventDefault();
      }}
      className="min-w-60 grow sm:grow-0"
    >
      Générer{several ? ` ${several}` : ''}
      {!online ? (
        ' au retour du réseau'
      ) : state.stale ? (
        <span className="font-normal opacity-80"> · calcul…</span>
      ) : state.preview ? (
        ` · retient ${dollars(state.preview.heldUsd)}`
      ) : null}
    </Button>
  );
}
