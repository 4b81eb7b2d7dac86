'use client';
import { useEffect, useRef, useState } from 'react';
import { refusalOf } from '#app/_ui/api-error.ts';
import type { TemplateCheck } from '#lib/studio/templates/preview/check-template.ts';
import type { Values } from './fields.tsx';

type Asked = {
  templateId: string;
  values: Values;
  photos: Record<string, string>;
  size: string;
  productId: string;
  page: number;
};

/** `stale`: the form cannot be drawn, so the picture of an earlier one stays. `lost`: a request failed. */
export type DrawingState = 'drawing' | 'fresh' | 'stale' | 'lost';

/** In milliseconds: how long typing must pause before the form is checked. */
const PAUSE_MS = 350;

/**
 * Checks the form `PAUSE_MS` after the last change, then draws it if it can be drawn; at once the first time. A further change cancels the
 * pending requests.
 */
export function useDrawing({ templateId, values, photos, size, productId, page }: Asked) {
  const [check, setCheck] = useState<{ of: Values; productId: string; verdict: TemplateCheck } | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  const [state, setState] = useState<DrawingState>('drawing');
  /** Why the service refused to check or to draw, in its words; null if it did not answer. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const first = useRef(true);
  /** The object URL of the picture. The browser keeps its bytes until it is revoked, even after the page is left. */
  const held = useRef<string | null>(null);
  useEffect(
    () => () => {
      if (held.current) URL.revokeObjectURL(held.current);
      held.current = null;
    },
    [],
  );

  useEffect(() => {
    const stop = new AbortController();
    const post = (action: 'check' | 'preview', body: object) =>
      fetch(`/api/templates/${templateId}/${action}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: stop.signal,
      });
    const lose = async (answer: Response | null) => {
      const body: unknown = await answer?.json().catch(() => null);
      if (stop.signal.aborted) return;
      setRefusal(answer && (refusalOf(answer, body, '').message || null));
      setState('lost');
    };
    const run = async () => {
      setState('drawing');
      const fields = sent(values);
      const checked = await post('check', { fields, productId });
      if (!checked.ok) return lose(checked);
      const verdict = (await checked.json()) as TemplateCheck;
      setCheck({ of: values, productId, verdict });
      if (verdict.pages === 0) return setState('stale');
      const shown = Math.min(page, verdict.pages - 1);
      const drawn = await post('preview', { fields: { ...fields, ...photos }, size, productId, page: shown });
      if (!drawn.ok) return lose(drawn);
      const address = URL.createObjectURL(await drawn.blob());
      if (stop.signal.aborted) return URL.revokeObjectURL(address);
      if (held.current) URL.revokeObjectURL(held.current);
      held.current = address;
      setPicture(address);
      setState('fresh');
    };
    const timer = setTimeout(
      () => {
        first.current = false;
        run().catch(() => lose(null));
      },
      first.current ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [templateId, values, photos, size, productId, page]);

  // A form that could not be checked has no verdict: that of a former one says nothing about it.
  const isFormer = check !== null && (check.of !== values || check.productId !== productId);
  const verdict = state === 'lost' && isFormer ? null : (check?.verdict ?? null);
  return { check: verdict, picture, state, refusal };
}

/** The fields that are not empty. */
function sent(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0));
}
