import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process of this number exists and is not a zombie that nobody has reaped. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return linuxStat(pid)?.state !== 'Z';
}

/**
 * Tells a process from a later one that was given the same number: its start time as the system counts it.
 * Undefined when the process is gone.
 */
export function processToken(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') return linuxStat(pid)?.startedAt;
  try {
    // In one zone and one language: two terminals would else read two dates of one process, and take each other's locks for dead.
    const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' };
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env });
    return started.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The number of a process's parent as it stands now; undefined when it cannot be told. */
export function parentOf(pid: number): number | undefined {
  try {
    if (process.platform === 'linux') return linuxStat(pid)?.parent;
    return (
      Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim()) || undefined
    );
  } catch {
    return undefined;
  }
}

/** The command line of a process, arguments joined by a space; empty when it cannot be read. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // Whole, and as it is spelt: `ps` cuts a line at 79 columns where it sees no terminal, and writes an accent in another way in C.
    const env = { ...process.env, LC_ALL: 'en_US.UTF-8' };
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8', env });
  } catch {
    return '';
  }
}

function linuxStat(pid: number): { state: string; parent: number; startedAt: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), startedAt: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** Polls until the check answers something other than undefined or false, or the time is over. */
export async function waitFor<T>(
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs: number,
  everyMs = 25,
): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value !== undefined && value !== false) return value;
    if (performance.now() >= end) return undefined;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
