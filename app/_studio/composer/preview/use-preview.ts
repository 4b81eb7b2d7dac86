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
  { wait, revision, variants }: { wait: boolean; revision: number; variants: number },
): PreviewState {
  const [answer, setAnswer] = useState<Answer>({ preview: null, refusal: null, of: '' });
  const path = variants > 1 ? `/api/generations/preview?variants=${variants}` : '/api/generations/preview';
  // The number belongs to the question: what one would hold says nothing of four.
  const body = JSON.stringify(request);
  const question = `${path} ${body}`;
  const asked = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a wallet that moved is a new question
  useEffect(() => {
    if (wait) return;
    const stop = new AbortController();
    // The first question and the one about a wallet that moved have no typing to wait for.
    const pause = asked.current === '' || asked.current === question ? 0 : PAUSE_MS;
    asked.current = question;
    const timer = setTimeout(() => {
      post<GenerationPreview | { refused: ApiRefusal }>(path, JSON.parse(body), {
        signal: stop.signal,
      })
        .then((said) =>
          setAnswer(
            'refused' in said
              ? { preview: null, refusal: said.refused, of: question }
              : { preview: said, refusal: null, of: question },
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
          setAnswer({ preview: null, refusal, of: question });
        });
    }, pause);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [question, wait, revision]);
  return { preview: answer.preview, refusal: answer.refusal, stale: answer.of !== question };
}
