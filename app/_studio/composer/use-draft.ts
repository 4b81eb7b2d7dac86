'use client';
import { useCallback, useEffect, useState } from 'react';
import { readRenderDraft } from '#app/_cockpit/render-draft.ts';
import { type Draft, EMPTY_DRAFT, type GivenDraft } from './draft.ts';

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
 * replaces it whole, or only the fields that it names; the address then forgets it, so that a reload finds what was typed since.
 */
export function useDraft(memberId: string, given: GivenDraft | null) {
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, ...given?.part });
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const base = { ...EMPTY_DRAFT, ...(given?.whole ? null : stored(memberId)), ...given?.part };
    // Only what was left for this template just now: a row taken up again brings its own texts.
    const left = given && !given.whole && given.part.template ? readRenderDraft(base.template) : null;
    setDraft(left ? { ...base, fields: { ...base.fields, [left.template]: left.fields } } : base);
    setReady(true);
    if (given) window.history.replaceState(null, '', window.location.pathname);
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
    try {
      localStorage.setItem(NAME + memberId, JSON.stringify({ ...draft, references }));
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
