'use client';
import { type RefObject, useEffect, useRef } from 'react';
import { useForm } from '#app/_ui/form/form-context.ts';

/**
 * Ctrl or Command and S saves what is on the page, wherever the focus is; the browser's own « save » never opens. Pressed while an answer is
 * awaited, it saves once that has come.
 */
export function SaveKey({ save }: { save: RefObject<HTMLElement | null> }) {
  const { pending } = useForm();
  const isAwaiting = useRef(pending);
  const isPressed = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      // Not while another dialog (a question, a nested Memory) stands above.
      const panels = document.querySelectorAll('[data-panel]');
      if (!panels.item(panels.length - 1)?.contains(save.current)) return;
      if (isAwaiting.current) isPressed.current = true;
      else press(save.current);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [save]);
  useEffect(() => {
    isAwaiting.current = pending;
    if (pending || !isPressed.current) return;
    isPressed.current = false;
    press(save.current);
  }, [pending, save]);
  return null;
}

const press = (within: HTMLElement | null) =>
  within?.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
