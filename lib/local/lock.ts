import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { processToken, waitFor } from './processes.ts';

/**
 * Runs `work` while no other process of this machine holds the lock file. The lock of a process that was killed is taken
 * over, even when its number was given to another process since. Throws after `timeoutMs` of waiting.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, timeoutMs = 600_000): Promise<T> {
  const mine = JSON.stringify({
    pid: process.pid,
    token: processToken(process.pid),
    nonce: randomBytes(8).toString('hex'),
  });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, mine, { mode: 0o600 });
    const held = await waitFor(() => take(draft, file), timeoutMs, 30);
    if (!held)
      throw new Error(
        `Waited ${timeoutMs / 1000} s for ${file}, which a living process keeps: ${await content(file)}`,
      );
  } finally {
    await rm(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    if ((await content(file)) === mine) await rm(file, { force: true });
  }
}

/** A hard link appears with its content or not at all, which an exclusive create followed by a write does not. */
async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * A dead lock is removed by one process at a time, which holds a lock for that and checks again first: a live lock is never moved. If that
 * process dies, its own lock is removed in the same way.
 */
async function take(draft: string, file: string): Promise<boolean> {
  if (await linked(draft, file)) return true;
  const held = await content(file);
  if (held === undefined || !isStale(held)) return false;
  const clearing = `${file}.clearing`;
  if (!(await take(draft, clearing))) return false;
  try {
    if ((await content(file)) !== held) return false;
    await rm(file, { force: true });
    return await linked(draft, file);
  } finally {
    await rm(clearing, { force: true });
  }
}

function isStale(text: string): boolean {
  try {
    const { pid, token } = JSON.parse(text) as { pid: number; token?: string };
    return processToken(pid) !== token;
  } catch {
    return true;
  }
}

async function content(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
