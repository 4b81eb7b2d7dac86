import { decodeState, encodeState } from '#lib/providers/fixtures/recorded-results.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { until } from '#tests/setup/until.ts';
import type { Seat } from './scenes/brain.ts';

const DAY_MS = 86_400_000;

export type Answer = { status: number; headers: Headers; json: Answered };
/** The JSON answer of a route of the Studio: a generation, or an error. */
export type Answered = GenerationView & {
  error?: {
    code: string;
    message: string;
    detail?: string;
    subject?: string;
    problems?: { field: string }[];
  };
};

/** A connection of its own. */
const APART = { connection: 'close' };

export type Caller = {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  file(path: string): Promise<{ status: number; contentType: string | null; bytes: Uint8Array<ArrayBuffer> }>;
};

/**
 * Speaks to a running app over HTTP as a signed-in member; over https the browser's cookie has another name. Each call has a connection of
 * its own: one that rests may be closed by the server just as a process that was held sends on it.
 */
export function callerOf(baseUrl: string, seat: Seat, options: { https?: boolean } = {}): Caller {
  const name = options.https ? '__Host-atelier' : seat.cookie.name;
  const cookie = `${name}=${seat.cookie.value}`;
  const ask = async (path: string, init: RequestInit) => {
    const answer = await fetch(baseUrl + path, {
      ...init,
      headers: { cookie, ...APART, ...(init.headers as Record<string, string>) },
    });
    return { status: answer.status, headers: answer.headers, json: (await answer.json()) as Answered };
  };
  return {
    get: (path) => ask(path, {}),
    post: (path, body, headers = {}) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    async file(path) {
      const answer = await fetch(baseUrl + path, { headers: { cookie, ...APART } });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, contentType: answer.headers.get('content-type'), bytes };
    },
  };
}

/** Reads a generation over HTTP until it satisfies `isEnough`. Throws at the limit of `until`. */
export async function readUntil(
  caller: Caller,
  id: string,
  isEnough: (row: Answered) => boolean,
): Promise<Answered> {
  return until(
    `${id} to stand as wanted`,
    async () => {
      const { json } = await caller.get(`/api/generations/${id}`);
      return isEnough(json) && json;
    },
    250,
  );
}

/** Runs one pass of the sweep over HTTP, as the scheduler does, and returns its report. Throws if it is refused. */
export async function sweepOver(baseUrl: string, cronSecret: string): Promise<Record<string, number>> {
  const answer = await fetch(`${baseUrl}/api/cron/generations-sweep`, {
    headers: { authorization: `Bearer ${cronSecret}`, ...APART },
  });
  if (!answer.ok) throw new Error(`the sweep answered ${answer.status}`);
  return (await answer.json()) as Record<string, number>;
}

/**
 * Runs a pass of the sweep, and waits until this generation is closed: a pass of the scheduler or of another test file may have taken it first. It is
 * not read over HTTP meanwhile, which could close it.
 */
export async function sweepUntilClosed(
  baseUrl: string,
  cronSecret: string,
  seat: Seat,
  id: string,
): Promise<void> {
  await sweepOver(baseUrl, cronSecret);
  await until(
    `${id} to be closed`,
    async () => (await seat.ctx.db.generation.findUniqueOrThrow({ where: { id } })).closedAt,
    250,
  );
}

/** The number of generations of a member's account, the kinds of its ledger lines in order, and the amount held by the member. */
export async function booksOf(seat: Seat) {
  const { accountId, memberId } = seat.ctx.actor;
  const rows = await seat.ctx.db.generation.count({ where: { accountId } });
  const lines = await seat.ctx.db.ledgerLine.findMany({
    where: { accountId },
    orderBy: [{ walletId: 'asc' }, { position: 'asc' }],
  });
  const wallet = await seat.ctx.db.wallet.findFirstOrThrow({ where: { memberId } });
  return { rows, lines: lines.map(({ kind }) => kind), heldMicros: wallet.heldMicros };
}

/** The ledger lines of one generation, in order, with their amounts in micro-dollars. */
export async function linesOf(seat: Seat, generationId: string): Promise<[kind: string, micros: bigint][]> {
  const lines = await seat.ctx.db.ledgerLine.findMany({
    where: { generationId },
    orderBy: { position: 'asc' },
  });
  return lines.map(({ kind, amountMicros }) => [kind, amountMicros]);
}

/** Moves the times of a generation `minutes` into the past, and makes it due for the sweep. */
export async function age(seat: Seat, id: string, minutes: number): Promise<void> {
  const row = await seat.ctx.db.generation.findUniqueOrThrow({ where: { id } });
  const earlier = (at: Date | null) => at && new Date(at.getTime() - minutes * 60_000);
  await seat.ctx.db.generation.update({
    where: { id },
    data: {
      createdAt: earlier(row.createdAt) as Date,
      startedAt: earlier(row.startedAt),
      submittedAt: earlier(row.submittedAt),
      deadlineAt: earlier(row.deadlineAt) as Date,
      readableAt: earlier(row.readableAt),
      dueAt: new Date(Date.now() - 1_000),
    },
  });
}

/** Makes a row look as if it had been started that many minutes ago, however long the test has taken since, and due now. */
export async function ageTo(seat: Seat, id: string, minutes: number): Promise<void> {
  const { createdAt } = await seat.ctx.db.generation.findUniqueOrThrow({ where: { id } });
  await age(seat, id, minutes - (Date.now() - createdAt.getTime()) / 60_000);
}

/** Lets who reads a running job ask its provider from then on; the scheduler's own passes leave it alone for a day. */
export async function readableIn(seat: Seat, id: string, ms: number): Promise<void> {
  await seat.ctx.db.generation.update({
    where: { id },
    data: { readableAt: new Date(Date.now() + ms), dueAt: new Date(Date.now() + DAY_MS) },
  });
}

/** Makes the recorded provider have finished a running job a moment ago: its operation, or its id, carries when it will be ready. */
export async function finishNow(seat: Seat, id: string): Promise<void> {
  const row = await seat.ctx.db.generation.findUniqueOrThrow({ where: { id } });
  const operation = JSON.parse(row.providerOperation ?? '') as { id: string; token?: string };
  const isReady = (word: string) => encodeState({ ...decodeState<object>(word), readyAtMs: Date.now() - 1 });
  const finished = operation.token
    ? { ...operation, token: isReady(operation.token) }
    : { ...operation, id: isReady(operation.id) };
  await seat.ctx.db.generation.update({
    where: { id },
    data: { providerOperation: JSON.stringify(finished) },
  });
}
