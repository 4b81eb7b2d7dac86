import { vi } from 'vitest';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { testContext } from '#tests/factories/context.ts';
import type { TestService } from '#tests/setup/service.ts';

/** The browser whose request an action or a page is given. */
export const browser = { headers: new Headers(), cookie: '' };

/** What is done after an answer: left out unless a test has it run, and then waits for it. */
export const afterAnswer = { isRun: false, works: [] as Promise<unknown>[] };

// Next gives an action and a page their request through these modules; here the test does.
vi.mock('next/headers', () => ({
  headers: async () => browser.headers,
  cookies: async () => ({
    get: (name: string) =>
      name === 'atelier' && browser.cookie ? { name, value: browser.cookie } : undefined,
    set: () => undefined,
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

/** A fresh session of this person, or of nobody, on our own page: what calls before it ended or used up does not count. */
export async function signInAs(
  service: TestService,
  person: { accountId: string; memberId: string } | null,
): Promise<void> {
  await service.pool.query('DELETE FROM "RateLimitWindow"');
  browser.cookie = '';
  if (person) {
    const { sessionId } = await openSession(testContext(service, { type: 'admin' }), person);
    browser.cookie = await signSessionCookie(sessionId, process.env.SERVICE_SESSION_SECRET as string);
  }
  sendFrom();
}
