import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';

/** Writes whole or not at all: a reader, or a process killed half-way, never leaves half a file behind. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const next = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(next, 'wx', mode);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, file);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

/** Makes the names in a folder last as what was synced under them does: a power cut could else forget a file that is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folder, and needs none of this.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The parsed file, or undefined when it is absent or not JSON (cut by a full disk, edited by hand). */
export async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readText(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** The file's text, or undefined when it does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
