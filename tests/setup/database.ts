import { inject } from 'vitest';
import { withSession } from '#lib/local/postgres/session.ts';
import { keep, takeKept } from './kept-databases.ts';
import { addressOf } from './server.ts';

export type TestDatabase = {
  /** Signed in as the application. */
  url: string;
  /** Signed in as the owner of the tables. */
  ownerUrl: string;
  name: string;
  drop(): Promise<void>;
};

let count = 0;

/** A separate database without rows besides those of the migrations: a clone of the template, or a kept database. Drop it at the end. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  count += 1;
  const name = `test_${process.pid}_${count}_${Math.random().toString(36).slice(2, 8)}`;
  await withSession(server.url, async (client) => {
    if (await takeKept(client, server, name)) return;
    await client.query(`create database "${name}" template "${server.template}" strategy file_copy`);
  });
  return {
    url: addressOf(server.appUrl, name),
    ownerUrl: addressOf(server.url, name),
    name,
    async drop() {
      if (await keep(server, name)) return;
      await withSession(server.url, (client) =>
        client.query(`drop database if exists "${name}" with (force)`),
      );
    },
  };
}
