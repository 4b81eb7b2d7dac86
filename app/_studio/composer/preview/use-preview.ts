'use client';
import { useEffect, useRef, useState } from 'react';
import { ApiError, type ApiRefusal } from '#app/_ui/api-error.ts';
import type { GenerationPreview } from '#lib/studio/preview/preview-generation.ts';
import { post } from '../../journal/api.ts';

const PAUSE_MS = 450;

export type PreviewState = {
  preview: GenerationPreview | null;
  refusal: ApiRefusal | null;
  /** The request changed since: no amount of this answer may be shown as that of the request at hand. */
  stale: boolean;
};

type Answer = Omit<PreviewState, 'stale'> & { of: string };

/**
 * What the request would do, asked when the typing pauses; an answer to an older request is never shown as current. A new
 * `revision` (the wallet moved) asks again for the same request, and what stands stays until the answer comes.
 */
export function usePreview(
  request: Record<string, unknown>,
  { wait, revision }: { wait: boolean; revision: number },
): PreviewState {
  const [answer, setAnswer] = useState<Answer>({ preview: null, refusal: null, of: '' });
  const body = JSON.stringify(request);
  const asked = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wallet that moved is a new question
  useEffect(() => {
    if (wait) return;
    const stop = new AbortController();
    // The first question and the one about a wallet that moved have no typing to wait for.
    const pause = asked.current === '' || asked.current === body ? 0 : PAUSE_MS;
    asked.current = body;
    const timer = setTimeout(() => {
      post<GenerationPreview | { refused: ApiRefusal }>('/api/generations/preview', JSON.parse(body), {
        signal: stop.signal,
      })
        .then((said) =>
          setAnswer(
            'refused' in said
              ? { preview: null, refusal: said.refused, of: body }
              : { preview: said, refusal: null, of: body },
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
          setAnswer({ preview: null, refusal, of: body });
        });
    }, pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [body, wait, revision]);
  return { preview: answer.preview, refusal: answer.refusal, stale: answer.of !== body };
}
