'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readRenderDraft } from '#app/_cockpit/render-draft.ts';
import { toast } from '#app/_ui/toast.ts';
import { type Draft, EMPTY_DRAFT, type GivenDraft, holdsWork, kindOf } from './draft.ts';
import { useKind } from './use-kind.ts';

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
 * The draft, stored in this browser at each change, so that a refusal, a lost network or another page loses nothing. What the address gives replaces
 * the draft (a toast brings it back) or only the fields it names; then the address keeps only the kind and the result, so that a reload finds what
 * was typed since.
 */
export function useDraft(memberId: string, given: GivenDraft | null, drawnFor: string) {
  const named = kindOf(useSearchParams().get('type'));
  const [draft, setDraft] = useState<Draft>({
    ...EMPTY_DRAFT,
    ...(named ? { kind: named } : {}),
    ...given?.part,
  });
  const [ready, setReady] = useState(false);
  const change = useCallback(
    (part: Partial<Draft> | ((before: Draft) => Partial<Draft>)) =>
      setDraft((before) => ({ ...before, ...(typeof part === 'function' ? part(before) : part) })),
    [],
  );
  const { isNews, address } = useKind({ kind: draft.kind, ready, drawnFor }, (kind) => change({ kind }));
  const taken = useRef<GivenDraft | null | undefined>(undefined);
  // A layout effect: a later effect could undo a press on what has just been drawn.
  useLayoutEffect(() => {
    const first = taken.current === undefined;
    const gift = isNews.current ? given : null;
    if (taken.current === given || (!first && !gift)) return;
    taken.current = given;
    isNews.current = false;
    const former = stored(memberId);
    const asked = kindOf(new URLSearchParams(window.location.search).get('type'));
    const base = {
      ...EMPTY_DRAFT,
      ...(gift?.whole ? null : former),
      ...(asked ? { kind: asked } : {}),
      ...gift?.part,
    };
    // The texts that the template's own page left; a generation taken up again brings its own.
    const left = gift && !gift.whole && gift.part.template ? readRenderDraft(memberId, base.template) : null;
    setDraft(left ? { ...base, fields: { ...base.fields, [left.template]: left.fields } } : base);
    setReady(true);
    if (gift?.whole && former && holdsWork(former))
      toast({
        title: 'Votre brouillon a laissé la place',
        description: 'Il est encore là, si vous le voulez.',
        undo: { label: 'Retrouver votre brouillon', run: () => setDraft(former) },
      });
  }, [memberId, given, isNews]);
  useEffect(() => {
    if (!ready) return;
    // Stored at once, without a pause, for a member who leaves the page right after the last letter.
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
      // Without storage, the composer still works.
    }
  }, [draft, memberId, ready]);
  return { draft, change, ready, address };
}

export type Change = ReturnType<typeof useDraft>['change'];
