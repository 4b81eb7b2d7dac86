/** The overhead of one form part besides its name and content, in bytes: boundary, headers, line ends. */
const PART_BYTES = 256;
/** The most bytes of one UTF-16 unit of a name or a text: in UTF-8, or as an escaped quotation mark. */
const LETTER_BYTES = 3;

/** An upper bound of a form's size once encoded, in bytes. With thousands of small files, the overhead of parts matters. */
export function formBytes(form: FormData): number {
  let bytes = PART_BYTES;
  for (const [name, value] of form) {
    const letters = value instanceof File ? value.name.length + value.type.length : value.length;
    bytes += PART_BYTES + LETTER_BYTES * (name.length + letters);
    if (value instanceof File) bytes += value.size;
  }
  return bytes;
}
