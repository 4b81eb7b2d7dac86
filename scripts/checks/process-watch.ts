import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import path from 'node:path';

/** An executable that was run, with every file that its processes had mapped into memory (libraries, fonts, data). */
export type Seen = { executable: string; commandLine: string; files: Set<string> };

/** What every program of a Linux machine stands on. */
const C_LIBRARY =
  /^(ld-linux.*|lib(c|m|dl|pthread|rt|resolv|util|anl|gcc_s|stdc\+\+|atomic|nss_\w+|BrokenLocale)([.-].*)?\.so.*|locale-archive|gconv-modules\.cache)$/;
const SYSTEM_DATA =
  /^\/(dev|proc|sys)\/|^\/usr\/(lib|share)\/(locale|zoneinfo)\/|^\/etc\/ld\.so\.cache$|^\/memfd:|^\/SYSV|^\/\[/;

const NEW_EVERY_MS = 20;
const MAPS_EVERY_MS = 1_000;

/**
 * Watches every process that `belongs` says is of the run, from now until `stop`: what it executes and what it maps. A process that lives
 * shorter than a look (20 ms) can be missed. Linux alone has what this reads.
 */
export function watchProcesses(belongs: (pid: number) => boolean): { stop(): Seen[] } {
  const seen = new Map<string, Seen>();
  const strangers = new Set<string>();
  const ours = new Set<string>();
  const look = (all: boolean) => {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const isNew = !ours.has(name);
      if (strangers.has(name) || (!isNew && !all)) continue;
      if (isNew && !belongs(Number(name))) {
        strangers.add(name);
        continue;
      }
      ours.add(name);
      record(name, seen);
    }
  };
  const fast = setInterval(() => look(false), NEW_EVERY_MS);
  // An exec keeps the number of its process, and numbers are given again: everything is looked at anew.
  const slow = setInterval(() => {
    strangers.clear();
    look(true);
  }, MAPS_EVERY_MS);
  return {
    stop() {
      look(true);
      clearInterval(fast);
      clearInterval(slow);
      return [...seen.values()];
    },
  };
}

function record(pid: string, seen: Map<string, Seen>): void {
  try {
    const link = readlinkSync(`/proc/${pid}/exe`);
    const executable = link.replace(/ \(deleted\)$/, '');
    const known = seen.get(executable);
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const files = known?.files ?? new Set<string>();
    const maps = readFileSync(`/proc/${pid}/maps`, 'utf8');
    // It became another program in between: what is mapped is that one's, which the next look finds.
    if (readlinkSync(`/proc/${pid}/exe`) !== link) return;
    for (const line of maps.split('\n')) {
      const file = line.split(/\s+/).slice(5).join(' ');
      if (file.startsWith('/') && !file.endsWith(' (deleted)')) files.add(file);
    }
    if (!known) seen.set(executable, { executable, commandLine, files });
  } catch {
    // It ended while it was looked at, or it is the kernel's.
  }
}

/** Whether a process belongs to a user. */
export function isOfUser(pid: number, uid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === uid;
  } catch {
    return false;
  }
}

/** Whether a process, or one that started it, carries a variable in the environment it was started with. */
export function hasVariable(pid: number, assignment: string): boolean {
  for (let at = pid; at > 1; ) {
    try {
      if (readFileSync(`/proc/${at}/environ`, 'utf8').split('\0').includes(assignment)) return true;
      const stat = readFileSync(`/proc/${at}/stat`, 'utf8');
      at = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    } catch {
      return false;
    }
  }
  return false;
}

/**
 * What was executed or mapped that lies neither under `root` nor in the C library, one line each. A tool of the machine may use what it is
 * made of; a program of `root` may not.
 */
export function foreignTo(root: string, seen: readonly Seen[], isTool: (file: string) => boolean): string[] {
  const faults: string[] = [];
  for (const { executable, commandLine, files } of seen) {
    if (isTool(executable)) continue;
    if (!executable.startsWith(`${root}/`)) {
      faults.push(`executed ${executable} (${commandLine.slice(0, 160)})`);
      continue;
    }
    for (const file of files)
      if (!file.startsWith(`${root}/`) && !C_LIBRARY.test(path.basename(file)) && !SYSTEM_DATA.test(file))
        faults.push(`${path.relative(root, executable)} used ${file}`);
  }
  return faults;
}
