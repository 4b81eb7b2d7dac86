import { type ChildProcess, type SpawnSyncOptions, spawnSync } from 'node:child_process';
import path from 'node:path';
import { until } from '#tests/setup/until.ts';

/** Characters of a log that a fault is told with. */
const TAIL = 4_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** A process that was asked to end, and has not after this, is killed. */
export const STOP_LIMIT_MS = 120_000;

/** The end of a text that may be long. */
export const tail = (text: string) => text.trim().slice(-TAIL);

/** An error in words: what it says, what its causes say that it does not, and the line of this test that it comes from. */
export function wordsOf(error: unknown): string {
  const words: string[] = [];
  let at = error;
  for (let depth = 0; at && depth < 5; depth += 1) {
    const said = at instanceof Error ? at.message || codeOf(at) : String(at);
    if (!words.some((one) => one.includes(said))) words.push(said);
    at = at instanceof Error ? at.cause : undefined;
  }
  const stack = error instanceof Error ? (error.stack ?? '').slice(error.message.length) : '';
  const place = /tests\/deployment\/(?!child\.ts)[^\s:)]+:\d+/.exec(stack)?.[0];
  return `${words.join(' — ')}${place ? ` (${place})` : ''}`;
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : error.name);

/** What a process said, the end of it, read as it comes: a pipe that nobody reads would stop it. */
export function lastWords(child: ChildProcess): () => string {
  let kept = '';
  const keep = (text: string) => {
    kept = (kept + text).slice(-200_000);
  };
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => keep(chunk.toString()));
  // Without a listener, a program that cannot be started would end this process.
  child.on('error', (error) => keep(error.message));
  return () => kept.trim();
}

/** Whether it ended, however that was, or never began. */
export function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Asks a process to end and waits until it has; throws when it had to be killed in the end. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<boolean>((resolve) => child.once('exit', () => resolve(true)));
  child.kill(signal);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), STOP_LIMIT_MS);
  });
  const isInTime = await Promise.race([ended, late]);
  clearTimeout(timer);
  if (isInTime) return;
  child.kill('SIGKILL');
  await ended;
  const name = child.spawnargs.map((one) => path.basename(one)).join(' ');
  throw new Error(`${name.slice(0, 200)}: killed, ${STOP_LIMIT_MS / 1000} s after ${signal}`);
}

/**
 * What `check` gives of a process that was started, asked again for as long as it throws. When the process ends, or the limit of a wait
 * passes, the process is killed and what it said is thrown with what was seen last.
 */
export async function untilAnswers<T>(
  what: string,
  on: { child: ChildProcess; said: () => string },
  check: () => Promise<T>,
): Promise<T> {
  const { child, said } = on;
  try {
    const found = await until<{ value: T } | { ended: string }>(what, async () =>
      hasEnded(child)
        ? { ended: `It ended (${child.exitCode ?? child.signalCode ?? 'never begun'}).` }
        : { value: await check() },
    );
    if ('value' in found) return found.value;
    throw new Error(`Waiting for ${what}: ${found.ended}`);
  } catch (error) {
    child.kill('SIGKILL');
    // Its last words may still be on their way.
    await new Promise((resolve) => setTimeout(resolve, 300));
    throw new Error(`${wordsOf(error)} It said: ${tail(said()) || 'nothing'}`, { cause: error });
  }
}

/** Runs a command to its end and gives what it printed; throws how it ended with the last of what it said. */
export function runCommand(
  file: string,
  args: readonly string[],
  options: Pick<SpawnSyncOptions, 'cwd' | 'env' | 'uid' | 'gid' | 'timeout'>,
): string {
  const { status, signal, error, stdout, stderr } = spawnSync(file, args, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: MAX_OUTPUT_BYTES,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return stdout;
  const name = [path.basename(file), ...args.slice(0, 4)].join(' ');
  const how = error ? error.message : `it ended with ${status ?? signal}`;
  throw new Error(`${name}: ${how}\n${tail([stdout, stderr].filter(Boolean).join('\n'))}`);
}
