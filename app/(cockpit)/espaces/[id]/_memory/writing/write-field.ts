import type { KeyboardEvent } from 'react';
import { isComposing } from '#app/_ui/text/composing.ts';
import { isModPressed } from '#app/_ui/text/mod-key.tsx';
import { type Edit, editFor, editForEnter, type Shortcut } from './markdown-edits.ts';

const KEYS: Record<string, Shortcut> = { b: 'bold', i: 'italic', k: 'link' };

/** Applies an edit to a field as typing would: as one undo step, with an `input` event. */
function write(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  // `execCommand` is the only way to insert text and keep the undo history. Without it, this step cannot be undone.
  const done =
    insert === ''
      ? from === to || document.execCommand('delete')
      : document.execCommand('insertText', false, insert);
  if (!done) {
    area.setRangeText(insert, from, to, 'end');
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

const fieldOf = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => ({
  text: value,
  start: selectionStart,
  end: selectionEnd,
});

/** Applies a toolbar button to the field. */
export function applyShortcut(area: HTMLTextAreaElement, shortcut: Shortcut): void {
  write(area, editFor(shortcut, fieldOf(area)));
}

/** Handles Ctrl (Command on a Mac) with B, I or K, and Enter in a list. Elsewhere, K opens the palette. */
export function onWritingKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  // Keys used by an input method are left to it.
  if (isComposing(event.nativeEvent) || event.altKey) return;
  const area = event.currentTarget;
  const shortcut = isModPressed(event) ? KEYS[event.key.toLowerCase()] : undefined;
  if (shortcut && !event.shiftKey) {
    event.preventDefault();
    applyShortcut(area, shortcut);
  } else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
    const edit = editForEnter(fieldOf(area));
    if (!edit) return;
    event.preventDefault();
    write(area, edit);
  }
}
