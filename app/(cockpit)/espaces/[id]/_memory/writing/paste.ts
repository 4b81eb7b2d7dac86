import type { ClipboardEvent } from 'react';
import { bringFile } from '#app/_cockpit/brought-file.ts';
import { mustStay } from '#app/_ui/must-stay.ts';
import { toast } from '#app/_ui/toast.ts';
import { markdownOfPasted } from '#lib/brain/imports/parse/pasted.ts';

/**
 * Pastes formatted text (Word, Google Docs, a web page) as Markdown, in one undo step; other content is pasted by the browser. A single image is
 * not pasted: a message says so and offers it to « Créer » as a reference. `open` goes there; null if the member may not generate.
 */
export function pasteMarkdown(
  event: ClipboardEvent<HTMLTextAreaElement>,
  open: ((address: string) => void) | null,
): void {
  const { clipboardData } = event;
  if (!clipboardData) return;
  const image = soleImage(clipboardData);
  if (image) {
    event.preventDefault();
    toast({
      title: 'Une mémoire garde du texte',
      description: `L’image n’a pas été ajoutée\u00a0: écrivez ce qu’elle montre.${open ? ' Elle peut servir de référence à une image.' : ''}`,
      name: 'image-pasted',
      ...(open
        ? {
            undo: {
              label: 'L’ouvrir dans «\u00a0Créer\u00a0»',
              run: () => {
                if (mustStay('La page «\u00a0Créer\u00a0»')) return false;
                bringFile(image);
                open('/creer?type=image');
              },
            },
          }
        : {}),
    });
    return;
  }
  const html = clipboardData.getData('text/html');
  if (!html) return;
  const markdown = markdownOfPasted(new DOMParser().parseFromString(html, 'text/html'));
  if (markdown === null) return;
  // `execCommand` is the only way to insert text and keep the undo history. Without it, plain text is pasted.
  if (document.execCommand('insertText', false, markdown)) event.preventDefault();
}

/** The image of the clipboard if it has no text: a word processor's copies also have text. */
function soleImage({ types, files }: DataTransfer): File | undefined {
  return types.includes('text/plain') ? undefined : [...files].find(({ type }) => type.startsWith('image/'));
}
