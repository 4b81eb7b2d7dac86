/** In milliseconds. Safari still reads the object URL after the click, so it is not revoked at once. */
const READ_MS = 60_000;

/** Downloads a text as a UTF-8 file of this name. */
export function saveText(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), READ_MS);
}
