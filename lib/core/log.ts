import { activeSpan } from './active-span.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, string | number | boolean | null | undefined | readonly string[]>;

/** One JSON line per event, with the active `traceId` and `spanId`. Never give it a secret, a prompt or file content. */
export type Logger = Record<LogLevel, (event: string, fields?: LogFields) => void>;

const LEVELS: LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** A logger of one JSON object a line, with the trace that the line belongs to; levels under `minLevel` are left out. */
export function createLogger(options: {
  write: (line: string) => void;
  now: () => Date;
  minLevel?: LogLevel;
}): Logger {
  const threshold = LEVELS.indexOf(options.minLevel ?? 'info');
  const emit =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (LEVELS.indexOf(level) < threshold) return;
      const span = activeSpan();
      options.write(
        JSON.stringify({
          at: options.now().toISOString(),
          level,
          event,
          ...fields,
          traceId: span?.traceId ?? null,
          spanId: span?.spanId ?? null,
        }),
      );
    };
  return { debug: emit('debug'), info: emit('info'), warn: emit('warn'), error: emit('error') };
}

/** The process's logger: standard output, one line each. */
export const stdoutLogger: Logger = createLogger({
  write: (line) => process.stdout.write(`${line}\n`),
  now: () => new Date(),
});
