import { vi } from 'vitest';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { testContext } from '#tests/factories/context.ts';
import type { TestService } from '#tests/setup/service.ts';

/** The browser whose request an action or a page is given. */
export const browser = {
  headers: new Headers(),
  cookie: '',
  /** Its other cookies by name, and those that it was given: they are sent only once a test moves them here. */
  others: new Map<string, string>(),
  given: new Map<string, { value: string; maxAge?: number }>(),
};

/** What is done after an answer: left out unless a test has it run, and then waits for it. */
export const afterAnswer = { isRun: false, works: [] as Promise<unknown>[] };

// Next gives an action and a page their request through these modules; here the test does.
vi.mock('next/headers', () => ({
  headers: async () => browser.headers,
  cookies: async () => ({
    get: (name: string) => {
      const value = name === 'atelier' ? browser.cookie : browser.others.get(name);
      return value ? { name, value } : undefined;
    },
    set: (cookie: { name: string; value: string; maxAge?: number }) => browser.given.set(cookie.name, cookie),
    delete: () => undefined,
  }),
}));
vi.mock('next/cache', () => ({ revalidatePath: () => undefined, revalidateTag: () => undefined }));
vi.mock('next/server', async (original) => ({
  ...(await original<object>()),
  after: (work: (() => unknown) | Promise<unknown>) => {
    if (afterAnswer.isRun)
      afterAnswer.works.push(Promise.resolve(typeof work === 'function' ? work() : work));
  },
}));

export const ORIGIN = 'http://atelier.test';

/** Sends the next requests from a page of this origin, ours unless said otherwise; null: a request that names none. */
export function sendFrom(origin: string | null = ORIGIN): void {
  browser.headers = new Headers({ host: 'atelier.test', ...(origin ? { origin } : {}) });
}

type Open = { sessionId: string; cookie: string; row: string; openedAt: number };
/** The last session of each member. One that no call has touched since, and that is this young, is as good as a fresh one. */
const lastSessions = new Map<string, Open>();
const FRESH_MS = 60_000;

/** A session of this person as fresh as a new one, or of nobody, on our own page: what calls before it ended or used up does not count. */
export async function signInAs(
  service: TestService,
  person: { accountId: string; memberId: string } | null,
): Promise<void> {
  const name = person ? `${person.accountId} ${person.memberId}` : '';
  const last = lastSessions.get(name);
  const { rows } = await service.pool.query<{ row: string }>({
    name: 'sign-in-again',
    text: `WITH emptied AS (DELETE FROM "RateLimitWindow") SELECT s::text AS row FROM "Session" s WHERE s."id" = $1`,
    values: [last?.sessionId ?? ''],
  });
  sendFrom();
  const isFresh = last !== undefined && rows[0]?.row === last.row && Date.now() - last.openedAt < FRESH_MS;
  browser.cookie = isFresh ? last.cookie : '';
  if (!person || isFresh) return;
  const openedAt = Date.now();
  const { sessionId } = await openSession(testContext(service, { type: 'admin' }), person);
  const written = await service.pool.query<{ row: string }>(
    'SELECT s::text AS row FROM "Session" s WHERE s."id" = $1',
    [sessionId],
  );
  browser.cookie = await signSessionCookie(sessionId, process.env.SERVICE_SESSION_SECRET as string);
  lastSessions.set(name, { sessionId, cookie: browser.cookie, row: written.rows[0]?.row ?? '', openedAt });
}
