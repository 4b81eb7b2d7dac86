import type { LogFields } from './log.ts';

const MAX_CAUSES = 4;
const MAX_FRAMES = 12;

type Fault = {
  code?: unknown;
  status?: unknown;
  statusCode?: unknown;
  /** SMTP's. */
  responseCode?: unknown;
  statement?: unknown;
  /** PostgreSQL's: `FATAL` ends the connection. */
  severity?: unknown;
  meta?: {
    modelName?: unknown;
    driverAdapterError?: { cause?: { originalCode?: unknown; severity?: unknown } };
  };
};

/**
 * What a log says of something thrown, so that its cause is found from the line alone: its class, the SQLSTATE, system code or HTTP
 * status of it or of what caused it, the statement that failed, and our own stack frames. Never a message: a driver's can quote
 * what somebody wrote, a store's an address.
 */
export function faultFields(thrown: unknown): LogFields {
  const chain = causesOf(thrown);
  const first = <T>(read: (fault: Fault) => T | undefined) => firstOf(chain.map((one) => read(one as Fault)));
  const code = first(codeOf);
  const status = first(statusOf);
  const statement = first(statementOf);
  const frames = chain.map(framesOf).find((some) => some.length > 0);
  return {
    error: chain.map(classOf).join(' < ') || typeof thrown,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(statement === undefined ? {} : { statement }),
    ...(frames === undefined ? {} : { frames }),
  };
}

/** The same in a few words, for a span's status or a report: `DatabaseError 40001`, `TypeError ECONNREFUSED`. */
export function faultLabel(thrown: unknown): string {
  const { error, code, status } = faultFields(thrown);
  return [error, code ?? status].filter((part) => part !== undefined).join(' ');
}

/** The thrown error, then what caused it, the nearest first. */
function causesOf(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = thrown; one instanceof Error && chain.length <= MAX_CAUSES; one = one.cause) {
    chain.push(one);
    if (one instanceof AggregateError && one.cause === undefined && one.errors[0] instanceof Error)
      chain.push(one.errors[0]);
  }
  return chain;
}

function firstOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}

function classOf(error: Error): string {
  // The driver calls every refusal of the database `error`.
  if (error.name === 'error') return 'DatabaseError';
  return error.name === 'Error' ? error.constructor.name : error.name;
}

// Codes are words of a machine: anything else is not repeated.
const CODE = /^[A-Za-z0-9_.-]{1,40}$/;
const asCode = (value: unknown) => (typeof value === 'string' && CODE.test(value) ? value : undefined);

function codeOf(fault: Fault): string | undefined {
  return asCode(fault.meta?.driverAdapterError?.cause?.originalCode) ?? asCode(fault.code);
}

function statusOf({ status, statusCode, responseCode }: Fault): number | undefined {
  return [status, statusCode, responseCode].find((value): value is number => Number.isInteger(value));
}

function statementOf({ statement, meta }: Fault): string | undefined {
  if (typeof statement === 'string') return statement.slice(0, 60);
  return typeof meta?.modelName === 'string' ? `prisma ${meta.modelName}` : undefined;
}

function framesOf({ stack = '', message }: Error): string[] {
  // A message has as many lines as what it quotes, and any of them may look like a frame.
  const start = message === '' ? 0 : stack.indexOf(message) + message.length;
  return stack
    .slice(start)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at ') && !/node_modules|\(?node:|<anonymous>/.test(line))
    .map((line) => line.slice(3).replaceAll('file://', '').replaceAll(`${process.cwd()}/`, ''))
    .slice(0, MAX_FRAMES);
}

const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // A name that stands for no machine: a container that is stopped has none.
  'ENOTFOUND',
  'EAI_AGAIN',
  // A standby, or a server that is being demoted: what it refuses is taken by the one that follows it.
  '25006',
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  // A disk that is full, or memory that is: room comes back.
  '53100',
  '53200',
  '53300',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2037',
]);
/** A class of SQLSTATE: what a pooler says of a server that it lost, or that gave it no connection in time. */
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/;
/** « Internal error »: as the end of a connection, what Supavisor says when it has no place or no server for one (pgflow-dev/pgflow#5). */
const INTERNAL = 'XX000';
/** What node-postgres says of a connection that is gone, or did not come or answer in time: it names no code for it. */
const LOST =
  /connection terminated|encountered a connection error|timeout exceeded when trying to connect|query read timeout/i;
/** What Neon says while it wakes a database up, or cannot: an internal error that ends nothing (proxy/src/compute of neondatabase/neon). */
const ASLEEP = /couldn't connect to compute node|control plane request failed|failed to acquire permit/i;

function isOfAnAbsence(code: unknown): boolean {
  return typeof code === 'string' && (UNAVAILABLE.has(code) || CONNECTION_EXCEPTION.test(code));
}

/** Whether what was thrown says that the database, or the way to it, is away: the same request may be made again later. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  return causesOf(thrown).some((error) => {
    const { code, severity, meta } = error as Fault;
    // Prisma names a code of its own, and keeps the server’s beside it.
    const original = meta?.driverAdapterError?.cause;
    const codes = [code, original?.originalCode];
    const isInternal = codes.includes(INTERNAL);
    return (
      codes.some(isOfAnAbsence) ||
      LOST.test(error.message) ||
      (isInternal && ([severity, original?.severity].includes('FATAL') || ASLEEP.test(error.message)))
    );
  });
}

/** What a call to the file store is called in `statement`, before its name. */
export const STORE_CALL = 'store.';

/**
 * Whether a call to the file store failed because it is away, has too much to do, or did not answer in time: the same request may be made again
 * later. Not for what it refuses (a token, a bucket, a method that it does not have).
 */
export function isStoreUnavailable(thrown: unknown): boolean {
  return causesOf(thrown).some((error) => {
    const { statement, status } = error as Fault;
    if (typeof statement !== 'string' || !statement.startsWith(STORE_CALL) || typeof status !== 'number')
      return false;
    return status === 429 || (status >= 500 && status !== 501);
  });
}
