import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#lib/db/connection.ts';

/** A message of PostgreSQL's protocol. */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const SIGNED_IN = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const ENDED = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

/** A server that ends each session in the same packet that opens it, as one that is told to stop at that moment. */
async function endingServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([SIGNED_IN, READY, ENDED])));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
  });
  return `postgresql://u:p@127.0.0.1:${(server.address() as AddressInfo).port}/d`;
}

test('a statement that gets no connection is told so in ten seconds: a request never waits for one without end', async () => {
  const own = connect({ url: await endingServer(), poolMax: 2 });
  onTestFinished(() => own.close());
  expect(own.pool.options).toMatchObject({ connectionTimeoutMillis: 10_000, max: 2 });
});

test('a connection that the server ends as the pool hands it over fails its statement, not the process', async () => {
  const uncaught: unknown[] = [];
  const hear = (error: unknown) => uncaught.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', hear);
  onTestFinished(() => {
    process.off('uncaughtException', hear);
    for (const other of others) process.on('uncaughtException', other);
  });
  const own = connect({ url: await endingServer(), poolMax: 2, statementMs: 10_000 });
  onTestFinished(() => own.close());
  const statements = [sql`select 1`.execute(own.kysely), own.db.$queryRaw`select 1`];
  const ends = await Promise.allSettled(statements);
  expect([ends.map(({ status }) => status), uncaught]).toEqual([['rejected', 'rejected'], []]);
});
