import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { faultFields, faultLabel } from '#lib/core/faults.ts';
import { createLogger } from '#lib/core/log.ts';
import { connect } from '#lib/db/connection.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const account = (name: string) => ({ id: 'acc_1', name, createdAt: new Date(0), updatedAt: new Date(0) });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );
const text = (error: unknown) => JSON.stringify(faultFields(error));

test('a refused prepared statement is told by its name, its SQLSTATE and our own frames', async () => {
  const insert = prepared('test.account', (db, p: Params<{ name: string }>) =>
    db.insertInto('Account').values({ ...account(''), name: p.name }),
  );
  await insert.run(service.kysely, { name: 'first' });
  const error = await failureOf(insert.run(service.kysely, { name: 'SECRET' }));
  expect(faultFields(error)).toMatchObject({
    error: 'DatabaseError',
    code: '23505',
    statement: 'test.account',
  });
  expect(text(error)).toContain('faults.test.ts');
  expect(text(error)).not.toMatch(/SECRET|node_modules|acc_1|file:\/\/|duplicate key/);
  expect(text(error)).not.toContain(process.cwd());
});

test('a refusal of Prisma says the SQLSTATE, or its own code, and the table', async () => {
  const error = await failureOf(service.db.account.create({ data: account('SECRET') }));
  expect(faultFields(error)).toMatchObject({ code: '23505', statement: 'prisma Account' });
  expect(text(error)).not.toContain('SECRET');
});

test('a database that does not answer is told by the system’s own code', async () => {
  const gone = connect({ url: 'postgresql://nobody:SECRET@127.0.0.1:9/none', poolMax: 1 });
  const ways = [
    gone.kysely.selectFrom('Account').select('id').execute(),
    gone.db.account.findFirst({ where: { name: 'SECRET' } }),
  ];
  for (const way of ways) {
    const error = await failureOf(way);
    expect(faultFields(error)).toMatchObject({ code: expect.stringMatching(/^(ECONNREFUSED|P1001)$/) });
    expect(text(error)).not.toContain('SECRET');
  }
  expect(faultFields(await failureOf(ways[0] as Promise<unknown>)).statement).toBe('connect');
  await gone.close();
});

test('a transaction whose connection is cut says where it stood, never that it could not be rolled back', async () => {
  const own = connect({ url: service.databaseUrl, poolMax: 1 });
  const cut = async (tx: { executeQuery: typeof own.kysely.executeQuery }) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(
      tx as typeof own.kysely,
    );
    await service.pool.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
  };
  const within = await failureOf(
    transaction(own, async (tx) => {
      await cut(tx);
      await tx.selectFrom('Account').select('id').execute();
    }),
  );
  expect(faultFields(within).statement).toMatch(/^select "id" from "Account"/);
  expect(
    toServiceError(within, createLogger({ write: () => {}, now: () => new Date(0) }), 'req_1').code,
  ).toBe('unavailable');
  const atCommit = await failureOf(transaction(own, cut));
  expect(faultFields(atCommit)).toMatchObject({ statement: 'commit' });
  expect(text(atCommit)).toContain('faults.test.ts');
  const refusing = connect({ url: service.databaseUrl, poolMax: 1 });
  refusing.pool.on('connect', (client) => {
    client.query = (() => Promise.reject(Object.assign(new Error('SECRET'), { code: '57P01' }))) as never;
  });
  const atBegin = await failureOf(transaction(refusing, async () => expect.unreachable()));
  expect(faultFields(atBegin)).toMatchObject({ statement: 'begin', code: '57P01' });
  await Promise.all([own.close(), refusing.close()]);
});

test('the cause of a failed fetch is told; what is no error, by its kind', async () => {
  const fault = new Error('SECRET', {
    cause: Object.assign(new TypeError('SECRET'), { code: 'ECONNREFUSED' }),
  });
  expect(faultLabel(fault)).toBe('Error < TypeError ECONNREFUSED');
  expect(faultLabel(Object.assign(new Error('SECRET'), { name: 'StoreError', status: 503 }))).toBe(
    'StoreError 503',
  );
  expect(faultFields('SECRET')).toEqual({ error: 'string' });
});

test('no line of a message passes for a frame, and no text for a code', () => {
  const fault = Object.assign(new Error('two lines\n    at SECRET (lib/x.ts:1:1)'), {
    code: 'not a code: SECRET',
  });
  expect(text(fault)).toContain('faults.test.ts');
  expect(text(fault)).not.toContain('SECRET');
});

test('a store that refuses is told by the call and its status, never by the file’s address', async () => {
  const refusing = createServer((_, response) =>
    response
      .writeHead(403, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { code: 'forbidden', message: 'SECRET' } })),
  );
  await listenHere(refusing);
  const { port } = refusing.address() as AddressInfo;
  vi.stubEnv('VERCEL_BLOB_API_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('VERCEL_BLOB_RETRIES', '0');
  try {
    const store = vercelBlobStore({ token: 'vercel_blob_rw_store_SECRET' });
    const error = await failureOf(store.head('generations/SECRET.png'));
    expect(faultFields(error)).toMatchObject({ status: 403, statement: 'store.head' });
    expect(faultLabel(error)).toBe('BlobAccessError 403');
    expect(text(error)).not.toContain('SECRET');
  } finally {
    vi.unstubAllEnvs();
    refusing.close();
  }
});
