/** A document whose name begins with a dot, as « .NET.docx » does, or is dots alone; `._` is what a Mac adds beside a file. */
const DOTTED = /^\.(?!_).*\.(?:md|mdx|markdown|txt|docx|html?|csv|tsv|pdf)$/i;

/** Whether programs, not people, fill a folder of this name: a hidden one, or what a Mac adds to an archive. Dots alone hide nothing. */
export function isFolderOfTools(name: string): boolean {
  return /^\.[^.\s]/.test(name) || name === '__MACOSX';
}

/**
 * Whether this path, in segments, is what programs leave beside the files that people write: a hidden folder or file, what a Mac adds to an
 * archive, the mark of a document that Word has open. A document is none of these for a dot before its name.
 */
export function isLeftByTools(segments: readonly string[]): boolean {
  const name = segments.at(-1) ?? '';
  if (segments.slice(0, -1).some(isFolderOfTools)) return true;
  return name.startsWith('~$') || name === '__MACOSX' || (name.startsWith('.') && !DOTTED.test(name));
}
