'use client';
import { useEffect, useRef, useState } from 'react';
import { ApiError, type ApiRefusal } from '#app/_ui/api-error.ts';
import type { GenerationPreview } from '#lib/studio/preview/preview-generation.ts';
import { post } from '../../journal/api.ts';

const PAUSE_MS = 450;

export type PreviewState = {
  preview: GenerationPreview | null;
  refusal: ApiRefusal | null;
  /** Whether the request has changed since the answer: its amounts must not be shown for the current request. */
  stale: boolean;
};

type Answer = Omit<PreviewState, 'stale'> & { of: string };

/**
 * The preview of a request, asked for when typing pauses. An answer to a former request is marked as stale. A new `revision` (the wallet changed)
 * asks again about the same request, and the former answer stays until the new one comes.
 */
export function usePreview(
  request: Record<string, unknown>,
  { wait, revision, variants }: { wait: boolean; revision: number; variants: number },
): PreviewState {
  const [answer, setAnswer] = useState<Answer>({ preview: null, refusal: null, of: '' });
  const path = variants > 1 ? `/api/generations/preview?variants=${variants}` : '/api/generations/preview';
  // The number is part of the question: the amount held for one is not that of four.
  const body = JSON.stringify(request);
  const question = `${path} ${body}`;
  const asked = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed wallet asks again
  useEffect(() => {
    if (wait) return;
    const stop = new AbortController();
    // The first question, and one repeated because the wallet changed, follow no typing.
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
