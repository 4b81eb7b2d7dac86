/** Whether a key event goes to a field, a menu or an editor, where no single-key shortcut may take it. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      Boolean(
        target.closest('input:not([type=checkbox],[type=radio],[type=range]), textarea, select, [role=menu]'),
      ))
  );
}
