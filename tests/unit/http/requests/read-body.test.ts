import { expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { createLogger } from '#lib/core/log.ts';
import { readBytes, readJson, readPlainBytes } from '#lib/http/requests/read-body.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';

/** A request whose body fails with this error after its first bytes. */
function cutBy(error: Error): Request {
  let isBegun = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isBegun) controller.error(error);
      else controller.enqueue(new TextEncoder().encode('{"title":'));
      isBegun = true;
    },
  });
  const init = { method: 'POST', body, duplex: 'half' };
  return new Request('https://atelier.example/api/v1/spaces', init as RequestInit);
}

async function told(error: Error): Promise<{ status: number; code: string; lines: string[] }> {
  const lines: string[] = [];
  const log = createLogger({ write: (line) => lines.push(line), now: () => new Date(0), minLevel: 'warn' });
  const thrown = await readBytes(cutBy(error), 1_000).catch((fault: unknown) => fault);
  const { status, code } = toServiceError(thrown, log, 'req_1');
  return { status, code, lines };
}

test('a body that its sender cuts is the sender’s fault: no error in the log, and no database that is said to be away', async () => {
  const reset = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  for (const error of [reset, new DOMException('The operation was aborted', 'AbortError')])
    expect(await told(error)).toEqual({ status: 400, code: 'invalid_request', lines: [] });
});

test('what else goes wrong while a body is read stays a fault of ours, in the log', async () => {
  const { status, lines } = await told(new Error('unexpected'));
  expect([status, lines.length]).toEqual([500, 1]);
});

test('what counts the bytes is heard: its refusal is the answer', async () => {
  const refusal = new ServiceError('rate_limited', { retryAfterSeconds: 1 });
  const request = new Request('https://atelier.example/', { method: 'POST', body: 'ab' });
  await expect(
    readBytes(request, 10, () => {
      throw refusal;
    }),
  ).rejects.toBe(refusal);
});

test('a body that is announced as compressed is not read: the refusal says what is taken; `identity` and nothing are', async () => {
  const announced = (coding?: string) =>
    new Request('https://atelier.example/', {
      method: 'POST',
      body: 'ab',
      ...(coding === undefined ? {} : { headers: { 'content-encoding': coding } }),
    });
  for (const coding of ['gzip', 'br', 'deflate', ' GZIP', 'identity, gzip'])
    await expect(readPlainBytes(announced(coding), 10), coding).rejects.toMatchObject({
      code: 'unsupported_media_type',
      status: 415,
      options: { headers: { 'Accept-Encoding': 'identity' } },
    });
  for (const coding of [undefined, '', 'identity', 'Identity'])
    expect(Buffer.from(await readPlainBytes(announced(coding), 10)).toString()).toBe('ab');
  await expect(readPlainBytes(announced(), 1)).rejects.toMatchObject({ code: 'payload_too_large' });
});

test('a body that gives one field twice is refused under its name: which of them counts is nobody’s to guess', async () => {
  const read = (body: string) =>
    readJson(
      new Request('https://atelier.example/api/v1/spaces', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
      1_000,
    );
  await expect(read('{"title":"a","body":"b","title":"c"}')).rejects.toMatchObject({
    code: 'invalid_request',
    options: { problems: [{ field: 'title', message: 'Ce champ est donné deux fois.' }] },
  });
  expect(await read('{"title":"a","fields":{"title":"b"}}')).toEqual({ title: 'a', fields: { title: 'b' } });
});
