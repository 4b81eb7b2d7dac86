'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readRenderDraft } from '#app/_cockpit/render-draft.ts';
import { toast } from '#app/_ui/toast.ts';
import { type Draft, EMPTY_DRAFT, type GivenDraft, holdsWork, kindOf } from './draft.ts';
import { composerAddress } from './use-kind.ts';

const NAME = 'atelier.creer.';

function stored(memberId: string): Draft | null {
  try {
    const text = localStorage.getItem(NAME + memberId);
    return text ? { ...EMPTY_DRAFT, ...(JSON.parse(text) as Partial<Draft>) } : null;
  } catch {
    return null;
  }
}

/**
 * The draft, kept in this browser as one types: a refusal, a lost network or another page loses nothing. What the address gives
 * replaces it whole (what was there can be brought back), or only the fields that it names; the address then keeps the kind alone, so
 * that a reload finds what was typed since. A page refreshed in place changes nothing here.
 */
export function useDraft(memberId: string, given: GivenDraft | null, kind: Draft['kind'] | undefined) {
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, ...(kind ? { kind } : {}), ...given?.part });
  const [ready, setReady] = useState(false);
  const taken = useRef<GivenDraft | null | undefined>(undefined);
  useEffect(() => {
    const first = taken.current === undefined;
    if (taken.current === given || (!first && !given)) return;
    taken.current = given;
    const former = stored(memberId);
    const asked = kindOf(new URLSearchParams(window.location.search).get('type'));
    const base = {
      ...EMPTY_DRAFT,
      ...(given?.whole ? null : former),
      ...(asked ? { kind: asked } : {}),
      ...given?.part,
    };
    // Only what was left for this template just now: a row taken up again brings its own texts.
    const left =
      given && !given.whole && given.part.template ? readRenderDraft(memberId, base.template) : null;
    setDraft(left ? { ...base, fields: { ...base.fields, [left.template]: left.fields } } : base);
    setReady(true);
    if (!given) return;
    const shown = new URLSearchParams(window.location.search).get('resultat');
    window.history.replaceState(null, '', composerAddress(base.kind, shown));
    if (given.whole && former && holdsWork(former))
      toast({
        title: 'Votre brouillon a laissé la place',
        description: 'Il est encore là, si vous le vouliez.',
        undo: { label: 'Retrouver votre brouillon', run: () => setDraft(former) },
      });
  }, [memberId, given]);
  useEffect(() => {
    if (!ready) return;
    // At once, not after a pause: whoever leaves right after the last letter finds it again.
    const references = draft.references
      .filter((one) => one.ref && !one.refusal)
      .map(({ thumbnail, progress: _progress, ...one }) => ({
        ...one,
        ...(thumbnail && !thumbnail.startsWith('blob:') ? { thumbnail } : {}),
      }));
    const { consentDocument: scan } = draft;
    const consentDocument = scan?.ref && !scan.refusal ? scan : null;
    try {
      localStorage.setItem(NAME + memberId, JSON.stringify({ ...draft, references, consentDocument }));
    } catch {
      // A browser that keeps nothing still composes.
    }
  }, [draft, memberId, ready]);
  const change = useCallback(
    (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) =>
      setDraft((before) => ({ ...before, ...(typeof part === 'function' ? part(before) : part) })),
    [],
  );
  return { draft, change, ready };
}

export type Change = ReturnType<typeof useDraft>['change'];
