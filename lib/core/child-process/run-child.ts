import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ChildRefused } from './child-refused.ts';

export type ChildLimits = {
  /** Heap of the process; a small file can ask for gigabytes. */
  heapMb: number;
  /** Longest silence: from the start, or from the last call of `restart`, to the end. */
  timeoutMs: number;
  /** Longest life, however often the clock was restarted. */
  totalMs?: number;
  /** What it may write in all. */
  maxOutputBytes: number;
};

/**
 * The process was ended by a limit (`time`, `memory`, `output`), ended itself with an exit code that is not 0, or was `stopped` with the service:
 * its input is then not at fault.
 */
export class ChildFailure extends Error {
  override readonly name = 'ChildFailure';
  readonly reason: 'time' | 'memory' | 'output' | 'exit' | 'stopped';
  readonly exitCode: number | null;

  constructor(reason: ChildFailure['reason'], exitCode: number | null = null) {
    super(`a child process ended by ${reason} ${exitCode ?? ''}`.trim());
    this.reason = reason;
    this.exitCode = exitCode;
  }
}

/** How Node ends when its heap is full: SIGABRT, told as a code where a shell stands between. */
const ABORTED = 128 + 6;

/** By which a service is ended: a terminal sends them to its whole group, a service manager to all processes of the service. */
const ENDING: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/**
 * Runs a program of the project in a process of its own, with its own heap and time and nothing of our environment: input made to exhaust memory or
 * never to finish ends that process, not the service (a worker thread was tried: its heap limit can still abort the whole process). The input
 * goes to its standard input; what it writes comes by `onOutput`, in order. Throws `ChildFailure`; `ChildRefused` where the platform starts no program.
 */
export async function runChild(
  entry: string,
  options: {
    args?: readonly string[];
    input: readonly Uint8Array[];
    limits: ChildLimits;
    onOutput: (chunk: Buffer, restart: () => void) => void;
  },
): Promise<void> {
  const { args = [], input, limits, onOutput } = options;
  const flags = [`--max-old-space-size=${limits.heapMb}`, '--disable-warning=ExperimentalWarning'];
  const compiled = process.env.NODE_COMPILE_CACHE;
  // Half of what a short process costs is compiling; tests say where the compiled code is kept, a deployed instance says nothing.
  const env = {
    NODE_ENV: 'production' as const,
    ...(compiled ? { NODE_COMPILE_CACHE: compiled } : {}),
  };
  const child = start([...flags, entry, ...args], env);
  // Where no file may be opened any more, Node makes no pipes and tells why after: unheard, that error would end the service.
  if (!(child.stdout as Readable | undefined)) {
    const [cause] = await once(child, 'error');
    throw new ChildRefused('no program starts', { cause });
  }
  let ended: ChildFailure | Error | null = null;
  const end = (failure: ChildFailure | Error) => {
    ended ??= failure;
    child.kill('SIGKILL');
  };
  const late = () => end(new ChildFailure('time'));
  let silence = setTimeout(late, limits.timeoutMs);
  const life = limits.totalMs === undefined ? undefined : setTimeout(late, limits.totalMs);
  const restart = () => {
    clearTimeout(silence);
    silence = setTimeout(late, limits.timeoutMs);
  };
  let written = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    if (ended) return;
    written += chunk.length;
    if (written > limits.maxOutputBytes) return end(new ChildFailure('output'));
    try {
      onOutput(chunk, restart);
    } catch (error) {
      end(error instanceof Error ? error : new Error('unknown'));
    }
  });
  // A child that dies early closes its input; its exit says why.
  child.stdin.on('error', () => {});
  for (const piece of input) child.stdin.write(piece);
  child.stdin.end();
  try {
    await new Promise<void>((fulfil, reject) => {
      child.once('error', (error) => reject(new ChildRefused('no program starts', { cause: error })));
      child.once('close', (code, signal) => {
        if (ended) reject(ended);
        else if (code === 0) fulfil();
        else if (signal && ENDING.has(signal)) reject(new ChildFailure('stopped'));
        else if (signal || code === ABORTED) reject(new ChildFailure('memory', code));
        else reject(new ChildFailure('exit', code));
      });
    });
  } finally {
    clearTimeout(silence);
    clearTimeout(life);
  }
}

/**
 * Runs `work` once more where its child process was stopped with the service, which still ends what it has begun: a file that was paid or sent is
 * not lost to the signal.
 */
export async function againIfStopped<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ChildFailure && error.reason === 'stopped')) throw error;
    return work();
  }
}

/** Where the platform refuses programs, Node either throws at once or tells it of the child. */
function start(args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
  } catch (error) {
    throw new ChildRefused('no program starts', { cause: error });
  }
}

/** The program's file in the first folder that has it: in a bundle, modules no longer lie beside the sources that Node runs. */
export function findEntry(folders: readonly string[], file: string): string {
  for (const folder of folders) {
    const entry = join(folder, file);
    if (existsSync(entry)) return entry;
  }
  throw new Error(`${file} is not deployed`);
}
