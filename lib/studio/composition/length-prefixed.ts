/** Pictures one after another, each preceded by its length: the input of the child process. */
export function joinPictures(pictures: readonly Uint8Array[]): Uint8Array[] {
  return pictures.flatMap((bytes) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    return [length, bytes];
  });
}

/** Reads back what `joinPictures` wrote. Throws RangeError on anything else. */
export function splitPictures(whole: Uint8Array): Uint8Array[] {
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const pictures: Uint8Array[] = [];
  for (let at = 0; at < whole.length; ) {
    const length = view.getUint32(at);
    if (at + 4 + length > whole.length) throw new RangeError('a picture is cut');
    pictures.push(whole.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return pictures;
}
