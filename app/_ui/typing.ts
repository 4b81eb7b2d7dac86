/** Whether a key goes to a field, a menu or an editor: no shortcut of one letter may take it. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      Boolean(
        target.closest('input:not([type=checkbox],[type=radio],[type=range]), textarea, select, [role=menu]'),
      ))
  );
}
