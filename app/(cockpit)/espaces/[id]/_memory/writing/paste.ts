import type { ClipboardEvent } from 'react';
import { markdownOfPasted } from '#lib/brain/imports/parse/pasted.ts';

/** Pastes what Word, Google Docs or a page laid on the clipboard as Markdown, in one step that undo takes back; anything else as ever. */
export function pasteMarkdown(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const html = event.clipboardData?.getData('text/html');
  if (!html) return;
  const markdown = markdownOfPasted(new DOMParser().parseFromString(html, 'text/html'));
  if (markdown === null) return;
  // The one way to write in a field that leaves undo whole; where a browser has it no more, the plain text is pasted.
  if (document.execCommand('insertText', false, markdown)) event.preventDefault();
}
