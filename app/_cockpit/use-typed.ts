'use client';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/**
 * The text of a search field: asked for after a pause of `pauseMs` milliseconds, or at once by `send`. `asked` is the text in the address; if it
 * changes in another way (« back », a filter removed), the field follows.
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
  // A layout effect: a later effect could undo a letter typed meanwhile.
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
