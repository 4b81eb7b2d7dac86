import { readdir, readFile } from 'node:fs/promises';

const lines = (path: string) => readFile(path, 'utf8').catch(() => '');

async function children(): Promise<string[]> {
  const threads = await readdir('/proc/self/task').catch(() => []);
  const lists = await Promise.all(threads.map((thread) => lines(`/proc/self/task/${thread}/children`)));
  return lists.join(' ').split(/\s+/).filter(Boolean);
}

/**
 * Runs `work` and says how much memory the largest process that it started had in RAM, in MB: told by the kernel, read every 40 ms.
 * 0 where there is no /proc.
 */
export async function peakOfChildren<T>(work: () => Promise<T>): Promise<{ result: T; peakMb: number }> {
  let peakKb = 0;
  let over = false;
  const watching = (async () => {
    while (!over) {
      for (const pid of await children()) {
        const said = /^VmHWM:\s+(\d+) kB/m.exec(await lines(`/proc/${pid}/status`))?.[1];
        peakKb = Math.max(peakKb, Number(said ?? 0));
      }
      await new Promise((later) => setTimeout(later, 40));
    }
  })();
  try {
    const result = await work();
    return { result, peakMb: Math.round(peakKb / 1024) };
  } finally {
    over = true;
    await watching;
  }
}
