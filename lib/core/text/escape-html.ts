/** A text as HTML shows it, in an element or in a quoted attribute: what would be markup is written out. */
export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
