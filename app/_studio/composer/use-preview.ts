'use client';
import { useEffect, useRef, useState } from 'react';
import { ApiError, type ApiRefusal } from '#app/_cockpit/api-error.ts';
import type { GenerationPreview } from '#lib/studio/preview/preview-generation.ts';
import { post } from '../journal/api.ts';

const PAUSE_MS = 450;

export type PreviewState = {
  preview: GenerationPreview | null;
  refusal: ApiRefusal | null;
  /** A newer answer is on its way: what stands may be out of date. */
  stale: boolean;
};

/** What the request would do, asked when the typing pauses; an answer to an older request is never shown. */
export function usePreview(request: Record<string, unknown>, wait: boolean): PreviewState {
  const [state, setState] = useState<PreviewState>({ preview: null, refusal: null, stale: true });
  const body = JSON.stringify(request);
  const first = useRef(true);
  useEffect(() => {
    if (wait) return;
    const stop = new AbortController();
    setState((before) => (before.stale ? before : { ...before, stale: true }));
    const timer = setTimeout(
      () => {
        post<GenerationPreview | { refused: ApiRefusal }>('/api/generations/preview', JSON.parse(body), {
          signal: stop.signal,
        })
          .then((answer) =>
            setState(
              'refused' in answer
                ? { preview: null, refusal: answer.refused, stale: false }
                : { preview: answer, refusal: null, stale: false },
            ),
          )
          .catch((error: unknown) => {
            if (stop.signal.aborted) return;
            const refusal =
              error instanceof ApiError
                ? error.refusal
                : {
                    code: 'internal-error',
                    message: 'L’aperçu n’a pas pu être préparé. Rien n’a été débité.',
                  };
            setState({ preview: null, refusal, stale: false });
          });
      },
      first.current ? 0 : PAUSE_MS,
    );
    first.current = false;
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body, wait]);
  return state;
}
