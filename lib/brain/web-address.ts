/** Whether a text is a complete http(s) address of reasonable length. */
export function isWebAddress(text: string): boolean {
  return text.length <= 2000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
