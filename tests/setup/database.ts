import type pg from 'pg';
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

/** SQLSTATE: somebody is connected to the database that is to be cloned. */
const IN_USE = '55006';

/**
 * Clones a database once nobody is connected to it. A worker that returns a database reads the template for a moment: PostgreSQL waits five
 * seconds for that, and a busy machine may take longer.
 */
export async function cloneDatabase(client: pg.Client, from: string, name: string): Promise<void> {
  for (;;)
    try {
      await client.query(`create database "${name}" template "${from}" strategy file_copy`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE) throw error;
    }
}

/** A separate database without rows besides those of the migrations: a clone of the template, or a kept database. Drop it at the end. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = inject('testServer');
  count += 1;
  const name = `test_${process.pid}_${count}_${Math.random().toString(36).slice(2, 8)}`;
  await withSession(server.url, async (client) => {
    if (await takeKept(client, server, name)) return;
    await cloneDatabase(client, server.template, name);
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
