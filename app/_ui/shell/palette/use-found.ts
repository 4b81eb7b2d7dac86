'use client';
import { useEffect, useRef, useState } from 'react';
import type { FoundThings } from '#lib/brain/queries/find-anything.ts';
import { openedLately } from './recents.ts';

/** In milliseconds. Shorter than the pause between two keys of a fast typist, so that a word is asked once. */
const PAUSE_MS = 40;
const NOTHING: FoundThings = { families: [], recent: [], ignored: null };

export type Answer = FoundThings & {
  /** The text that was asked; null before the first answer. */
  of: string | null;
  failed: boolean;
};

/** The items of the account that match the text, requested while typing. The former answer stays until the next one is there. */
export function useFound(text: string, open: boolean): Answer {
  const [answer, setAnswer] = useState<Answer>({ ...NOTHING, of: null, failed: false });
  const known = useRef(new Map<string, FoundThings>());
  useEffect(() => {
    if (!open) {
      known.current.clear();
      return;
    }
    const seen = known.current.get(text);
    if (seen) {
      setAnswer({ ...seen, of: text, failed: false });
      return;
    }
    const stop = new AbortController();
    const ask = async () => {
      const query: [string, string] = text === '' ? ['recent', openedLately().join(',')] : ['q', text];
      try {
        const response = await fetch(`/api/brain/find?${new URLSearchParams([query])}`, {
          signal: stop.signal,
        });
        if (!response.ok) throw new Error(String(response.status));
        const found = (await response.json()) as FoundThings;
        known.current.set(text, found);
        setAnswer({ ...found, of: text, failed: false });
      } catch {
        if (!stop.signal.aborted) setAnswer({ ...NOTHING, of: text, failed: true });
      }
    };
    const timer = setTimeout(ask, text === '' ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, open]);
  return answer;
}
