/** A file of the journal: the n-th file, from 0, of a generation. */
type JournalFile = { generationId: string; file: number };

const WRITTEN = /^(gen_[0-9a-z]{26})#(\d{1,2})$/;

/** The reference that names a file of the journal, `gen_…#0`: what a row keeps of `{generationId, file}`, and can be asked again. */
export function journalRef(generationId: string, file: number): string {
  return `${generationId}#${file}`;
}

/** The file that such a reference names; null for any other text. */
export function readJournalRef(ref: string): JournalFile | null {
  const [, generationId, file] = WRITTEN.exec(ref) ?? [];
  return generationId === undefined ? null : { generationId, file: Number(file) };
}

/** The same fields, every `{generationId, file}` in them as the reference that it is; whatever else as it came. */
export function withJournalRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withJournalRefs);
  if (typeof value !== 'object' || value === null) return value;
  const { generationId, file = 0, ...rest } = value as Record<string, unknown>;
  if (typeof generationId === 'string' && Number.isInteger(file) && Object.keys(rest).length === 0)
    return journalRef(generationId, file as number);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withJournalRefs(one)]));
}
