'use client';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';

/** Element that holds the text to the letter: the page does not carry it a second time to be copied. */
const TEXT_ID = 'texte-du-contexte';

/** Copies the text that the page shows. */
export function CopyContext() {
  return (
    <CopyButton
      variant="primary"
      label="Copier le contexte"
      text={() => document.getElementById(TEXT_ID)?.textContent ?? ''}
    />
  );
}
