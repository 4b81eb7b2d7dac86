'use client';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * The text of a search field: asked for once it rests for `pauseMs`, or at once by `send`. `asked` is what the address says; when
 * that changes by another way (back in the browser, a filter taken away), the field follows.
 */
export function useTyped(asked: string, ask: (text: string) => void, pauseMs = 250) {
  const [text, setText] = useState(asked);
  const sent = useRef(asked);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (text.trim() === sent.current.trim()) return;
    const timer = setTimeout(() => {
      sent.current = text;
      latest.current(text.trim());
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  // At once: as an effect that follows, it would come after a letter that is typed meanwhile, and take it back.
  useLayoutEffect(() => {
    if (asked.trim() === sent.current.trim()) return;
    sent.current = asked;
    setText(asked);
  }, [asked]);
  const send = () => {
    sent.current = text;
    ask(text.trim());
  };
  return { text, setText, send };
}
