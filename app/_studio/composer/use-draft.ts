'use client';
import { useCallback, useEffect, useState } from 'react';
import { readRenderDraft } from '#app/_cockpit/render-draft.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';

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
 * The draft, kept in this browser as one types: a refusal, a lost network or another page loses nothing. A draft given by the
 * address wins over the kept one.
 */
export function useDraft(memberId: string, given: Draft | null) {
  const [draft, setDraft] = useState<Draft>(given ?? EMPTY_DRAFT);
  const [ready, setReady] = useState(given !== null);
  useEffect(() => {
    if (given) {
      const left = given.kind === 'render' ? readRenderDraft(given.template) : null;
      if (left)
        setDraft((before) => ({ ...before, fields: { ...before.fields, [left.template]: left.fields } }));
      return;
    }
    const kept = stored(memberId);
    if (kept) setDraft(kept);
    setReady(true);
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
