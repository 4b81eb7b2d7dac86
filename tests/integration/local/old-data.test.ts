import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { connect } from '#lib/db/connection.ts';
import { isOperatorMissing } from '#lib/identity/accounts/operator-missing.ts';
import { setOperator } from '#lib/identity/accounts/set-operator.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { applyMigrations } from '#lib/local/prisma/migrations.ts';
import { engineApply } from '#lib/local/prisma/schema-engine.ts';
import { readMigrations } from '#lib/local/prisma/schema-files.ts';
import { testContext } from '#tests/factories/context.ts';
import { cloneDatabase } from '#tests/setup/database.ts';
import { addressOf } from '#tests/setup/server.ts';

/** The last release in which a member was a person, and no account was the operator's. */
const BEFORE = '20261122091559_search_segments';
const made: string[] = [];
const run = promisify(execFile);

/** A database of that release without a row, migrated once and cloned by each test. */
const release = `test_${process.pid}_release`;

async function drop(name: string): Promise<void> {
  const { url } = inject('testServer');
  await withSession(url, (client) => client.query(`drop database if exists "${name}" with (force)`));
}

beforeAll(async () => {
  const { url } = inject('testServer');
  await withSession(url, (client) => client.query(`create database "${release}" template template0`));
  const all = await readMigrations();
  const migrationDirectories = all.migrationDirectories.filter(({ path: folder }) => folder <= BEFORE);
  await engineApply(addressOf(url, release), { ...all, migrationDirectories });
});
afterAll(() => drop(release));
afterEach(async () => {
  for (const name of made.splice(0)) await drop(name);
});

/** A database of that release with so many accounts: each a founder who signed in and whose credit was partly spent, and somebody invited. */
async function oldDatabase(accounts: number): Promise<string> {
  const { url } = inject('testServer');
  const name = `test_${process.pid}_old_${Math.random().toString(36).slice(2, 8)}`;
  made.push(name);
  await withSession(url, (client) => cloneDatabase(client, release, name));
  const address = addressOf(url, name);
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  for (let n = 1; n <= accounts; n += 1)
    await client.query(`
      insert into "Account" values ('acc_${n}', 'Compte ${n}', 1000, 0, null, now(), now());
      insert into "Member" values
        ('mbr_${n}f', 'acc_${n}', 'f${n}@exemple.test', 'Fondatrice ${n}', 'FOUNDER', '{}', 'ACTIVE', now(), now(), now()),
        ('mbr_${n}i', 'acc_${n}', 'i${n}@exemple.test', 'Invité ${n}', 'MEMBER', '{}', 'INVITED', now(), now(), null);
      insert into "Session" ("id", "accountId", "memberId", "createdAt", "lastSeenAt", "expiresAt")
        values ('ses_${n}', 'acc_${n}', 'mbr_${n}f', now(), now(), now() + interval '30 days');
      insert into "Wallet" ("id", "accountId", "memberId", "balanceMicros", "heldMicros", "month", "createdAt", "updatedAt")
        values ('wal_${n}', 'acc_${n}', 'mbr_${n}f', 7000000, 0, '2026-11', now(), now());
      insert into "LedgerLine" ("id", "accountId", "walletId", "memberId", "kind", "amountMicros", "heldMicros",
          "balanceAfterMicros", "heldAfterMicros", "month", "at", "actor")
        values ('led_${n}', 'acc_${n}', 'wal_${n}', 'mbr_${n}f', 'GRANT', 7000000, 0, 7000000, 0, '2026-11', now(), 'admin');`);
  await client.end();
  return address;
}

async function migrated(address: string) {
  await applyMigrations(address);
  const connection = connect({ url: address, poolMax: 2 });
  try {
    const { db } = connection;
    return {
      operators: (await db.account.findMany({ where: { isOperator: true } })).map(({ id }) => id),
      missing: await isOperatorMissing(connection),
      people: await db.person.count(),
      invited: await db.member.count({ where: { status: 'INVITED', personId: null } }),
      credit: (await db.wallet.findMany()).map(({ balanceMicros }) => balanceMicros),
      budgets: await db.budget.count({ where: { balanceMicros: 0n } }),
      verified: await db.session.count({
        where: { verifiedAt: { not: null } },
      }),
    };
  } finally {
    await connection.close();
  }
}

describe('a database of an older release', () => {
  it('with one account: that account is the operator’s, and nobody lost anything', async () => {
    expect(await migrated(await oldDatabase(1))).toEqual({
      operators: ['acc_1'],
      missing: false,
      people: 1,
      invited: 1,
      credit: [7_000_000n],
      budgets: 1,
      verified: 1,
    });
  });

  it('with several: nobody is, nothing is taken back, and what to run is said until it was', async () => {
    const address = await oldDatabase(3);
    expect(await migrated(address)).toEqual({
      operators: [],
      missing: true,
      people: 3,
      invited: 3,
      credit: [7_000_000n, 7_000_000n, 7_000_000n],
      budgets: 3,
      verified: 3,
    });
    const command = (script: string, ...given: string[]) =>
      run(process.execPath, ['--import', './scripts/ready.ts', path.join('scripts', script), ...given], {
        cwd: repositoryRoot,
        env: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          DATABASE_URL: address,
        } as unknown as NodeJS.ProcessEnv,
      });
    const said = /npm run admin -- account operator <compte>/;
    expect((await command('migrate.ts')).stderr).toMatch(said);
    const listed = await command('admin.ts', 'key', 'list', '--account', 'Compte 2', '--json');
    expect(listed.stderr).toMatch(said);
    expect(JSON.parse(listed.stdout)).toEqual({ keys: [] });
    const named = await command('admin.ts', 'account', 'operator', 'Compte 2');
    expect(named.stderr).not.toMatch(said);
    expect((await migrated(address)).operators).toEqual(['acc_2']);
  });

  it('with none: nothing is missing yet, and an account made later may be the operator’s', async () => {
    const address = await oldDatabase(0);
    expect(await migrated(address)).toMatchObject({ operators: [], missing: false });
    const connection = connect({ url: address, poolMax: 2 });
    const ctx = testContext(connection, { type: 'admin' as const });
    await expect(setOperator(ctx, { accountId: 'acc_1' })).rejects.toMatchObject({ code: 'not_found' });
    await connection.close();
  });
});
