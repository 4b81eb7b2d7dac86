'use client';
import { type RefObject, useEffect, useRef } from 'react';
import { useForm } from '#app/_ui/form/form-context.ts';

/**
 * Saves with Ctrl or Command and S, wherever the focus is, and prevents the browser's own command. Pressed while a save is pending, it saves
 * again afterwards.
 */
export function SaveKey({ save }: { save: RefObject<HTMLElement | null> }) {
  const { pending } = useForm();
  const isAwaiting = useRef(pending);
  const isPressed = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
      event.preventDefault();
      // Not while another dialog (a question, a nested Memory) is open above.
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
