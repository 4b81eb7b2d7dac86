import { strToU8, zipSync } from 'fflate';
import { readUpload } from '#lib/brain/imports/documents/upload.ts';

/** What an import into the pillar KNOWLEDGE reads of files, by their names. */
export const read = (files: Record<string, string | Uint8Array>) =>
  readUpload(
    Object.entries(files).map(([name, content]) => ({
      name,
      bytes: typeof content === 'string' ? strToU8(content) : content,
    })),
    { pillar: 'KNOWLEDGE' },
  );

export const asZip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

/** An identifier as Notion appends it to the names of its pages. */
export const ID = (n: number) => String(n).repeat(32).slice(0, 32);
