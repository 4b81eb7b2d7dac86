import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { undeclared } from './declared-answer.ts';
import { type TestService, useTestService } from './service.ts';
import { TEST_SECRETS } from './test-secrets.ts';

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

export type CallOptions = {
  method?: string;
  path: string;
  params?: Record<string, string>;
  token?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a string or bytes. */
  body?: unknown;
};

/** Calls route handlers in this process, against the test file's own database: the same functions that Next calls, without a server. */
export function useApi(options: { poolMax?: number } = {}): TestService {
  const shared = globalThis as { atelierConnection?: unknown };
  // Hooks run in reverse: only once the database is gone, so that what a route still reads after its answer opens no connection of its own.
  afterAll(() => {
    shared.atelierConnection = undefined;
  });
  const service = useTestService(options);
  beforeAll(() => {
    process.env.DATABASE_URL = service.databaseUrl;
    for (const [name, value] of Object.entries(TEST_SECRETS)) process.env[name] ??= value;
    process.env.SERVICE_ENV = TEST_SECRETS.SERVICE_ENV;
    shared.atelierConnection = service.connection;
  });
  return service;
}

export const ORIGIN = 'http://atelier.test';

/** Calls a route handler once, and parses the JSON of the answer if it has a body. */
export async function call(handler: Handler, options: CallOptions) {
  const headers = new Headers(options.headers);
  if (options.token) headers.set('authorization', `Bearer ${options.token}`);
  const { body } = options;
  const raw =
    body === undefined ||
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof ReadableStream;
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const request = new Request(ORIGIN + options.path, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    body: (raw ? body : JSON.stringify(body)) as RequestInit['body'],
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);
  const response = await handler(request, { params: Promise.resolve(options.params ?? {}) });
  const text = await response.text();
  // Whatever the test is about, an answer that the route does not declare fails it.
  expect(undeclared(handler, { status: response.status, headers: response.headers, text })).toBeNull();
  return { status: response.status, headers: response.headers, text, json: text ? JSON.parse(text) : null };
}

/**
 * Stops the clock of this process at the start of the next minute until the test ends, so that per-minute counts are exact. Timers keep running.
 * Returns a function that moves the clock forward, in seconds.
 */
export function stopClock(): (seconds: number) => void {
  const now = (Math.floor(Date.now() / 60_000) + 1) * 60_000;
  vi.useFakeTimers({ toFake: ['Date'], now });
  onTestFinished(() => void vi.useRealTimers());
  return (seconds) => void vi.setSystemTime(Date.now() + 1000 * seconds);
}

/** A key that no other test uses. */
export function freshIdempotencyKey(): string {
  return createId('request');
}
