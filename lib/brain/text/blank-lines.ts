/** Without the blank lines at its start; the indentation of the first line that says something is kept. Linear, whatever the text. */
export function withoutBlankStart(text: string): string {
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x0a) start = at + 1;
    else if (unit === 0x0d ? text.charCodeAt(at + 1) !== 0x0a : unit !== 0x20 && unit !== 0x09) break;
  }
  return start === 0 ? text : text.slice(start);
}
