'use client';
import { useEffect, useRef, useState } from 'react';
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

/** `stale`: the picture shows an earlier form, because this one cannot be drawn; `lost`: no answer came. */
export type DrawingState = 'drawing' | 'fresh' | 'stale' | 'lost';

const PAUSE_MS = 350;

/**
 * Checks the form a moment after the last key, then draws it when it can be drawn. An answer that a later key made useless is
 * dropped, and so is its request.
 */
export function useDrawing({ templateId, values, photos, size, productId, page }: Asked) {
  const [check, setCheck] = useState<TemplateCheck | null>(null);
  const [picture, setPicture] = useState<string | null>(null);
  const [state, setState] = useState<DrawingState>('drawing');
  const first = useRef(true);
  /** The address of the picture: its bytes are held until it is given back, after the page too. */
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
    const run = async () => {
      setState('drawing');
      const fields = sent(values);
      const checked = await post('check', { fields, productId });
      if (!checked.ok) return setState('lost');
      const verdict = (await checked.json()) as TemplateCheck;
      setCheck(verdict);
      if (verdict.pages === 0) return setState('stale');
      const shown = Math.min(page, verdict.pages - 1);
      const drawn = await post('preview', { fields: { ...fields, ...photos }, size, productId, page: shown });
      if (!drawn.ok) return setState('lost');
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
        run().catch(() => {
          if (!stop.signal.aborted) setState('lost');
        });
      },
      first.current ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [templateId, values, photos, size, productId, page]);

  return { check, picture, state };
}

/** The form without what is empty, as the routes take it. */
function sent(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.length > 0));
}
