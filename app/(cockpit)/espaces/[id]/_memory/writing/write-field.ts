import type { KeyboardEvent } from 'react';
import { isComposing } from '#app/_ui/text/composing.ts';
import { isModPressed } from '#app/_ui/text/mod-key.tsx';
import { type Edit, editFor, editForEnter, type Shortcut } from './markdown-edits.ts';

const KEYS: Record<string, Shortcut> = { b: 'bold', i: 'italic', k: 'link' };

/** Writes an edit into a field as a hand would: one step of its undo, and `input` is heard. */
function write(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  // The one way to write in a field that leaves undo whole; where a browser has it no more, undo forgets this step.
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

/** What a button of the bar does to the field. */
export function applyShortcut(area: HTMLTextAreaElement, shortcut: Shortcut): void {
  write(area, editFor(shortcut, fieldOf(area)));
}

/** Ctrl, or Command on a Mac, with B, I or K; « Entrée » goes on with a list. The palette keeps K everywhere else. */
export function onWritingKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  // What an input method is composing is its own.
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
