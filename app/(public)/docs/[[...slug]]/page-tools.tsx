'use client';
import { useEffect, useState } from 'react';

/**
 * The two gestures of the documentation, for all of a page at once: a copy button copies the code in view beside it, and a language
 * that is chosen once is chosen everywhere. Draws nothing but what a screen reader is told.
 */
export function PageTools() {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const copy = async ({ target }: MouseEvent) => {
      const button = (target as Element).closest<HTMLButtonElement>('[data-copy]');
      if (!button) return;
      const shown = [...(button.closest('.doc-code')?.querySelectorAll('pre') ?? [])].find(
        (pre) => pre.offsetParent !== null,
      );
      // Outside of https a browser has no clipboard at all.
      const words = await Promise.resolve(shown?.textContent ?? '')
        .then((text) => navigator.clipboard.writeText(text))
        .then(
          () => 'Copié',
          () => 'Copie refusée',
        );
      button.textContent = words;
      setSaid(words);
      setTimeout(() => {
        button.textContent = 'Copier';
        setSaid('');
      }, 2_000);
    };
    const choose = ({ target }: Event) => {
      const chosen = target as HTMLInputElement;
      if (!chosen.closest('.doc-code')) return;
      const before = chosen.getBoundingClientRect().top;
      for (const input of document.querySelectorAll<HTMLInputElement>('.doc-code input'))
        if (input.value === chosen.value) input.checked = true;
      // What is above may have become longer: the reader's own place stays where it was.
      window.scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: 'instant' });
    };
    document.addEventListener('click', copy);
    document.addEventListener('change', choose);
    return () => {
      document.removeEventListener('click', copy);
      document.removeEventListener('change', choose);
    };
  }, []);
  return (
    <span role="status" className="sr-only">
      {said}
    </span>
  );
}
