import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { ensureApplicationRole, grantApplicationRights, KEPT_TABLES } from '#lib/local/postgres/rights.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const DENIED = '42501';

/** The SQLSTATE that the application's own connection is answered; `done` when it is let through. */
const asApplication = (text: string) =>
  service.connection.pool.query(text).then(
    () => 'done',
    ({ code }: { code?: string }) => code,
  );

/** What the role of this test file may do on each table, as the database says it. */
async function rights(): Promise<Map<string, string[]>> {
  // MAINTAIN came with PostgreSQL 17: older ones refuse its name.
  const { rows } = await service.connection.pool.query<{ name: string; rights: string[] }>(
    `SELECT c.relname AS name, array(SELECT r FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES',
       'TRIGGER'] || CASE WHEN current_setting('server_version_num')::int >= 170000 THEN ARRAY['MAINTAIN'] ELSE ARRAY[]::text[] END) AS r WHERE has_table_privilege(c.oid, r)) AS rights
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`,
  );
  return new Map(rows.map(({ name, rights }) => [name, rights]));
}

// What is said of a database itself is not cloned with it.
beforeAll(() => grantApplicationRights(service.ownerUrl, new URL(service.databaseUrl).username));

describe('the application’s role', () => {
  it('cannot change or remove a line of the ledger or an entry of the audit, nor take away what guards them', async () => {
    const { account, member, actor } = await makeAccount(service);
    await giveCredit(testContext(service, actor), member.id, 1_000_000n);
    const [wallets, lines] = await Promise.all([service.db.wallet.count(), service.db.ledgerLine.count()]);
    expect([wallets > 0, lines > 0]).toEqual([true, true]);
    const attempts = [
      `UPDATE "LedgerLine" SET "amountMicros" = 1`,
      `DELETE FROM "LedgerLine"`,
      `TRUNCATE "LedgerLine" CASCADE`,
      `ALTER TABLE "LedgerLine" DISABLE TRIGGER ALL`,
      `DROP TRIGGER "LedgerLine_append_only" ON "LedgerLine"`,
      `UPDATE "BudgetLine" SET "amountMicros" = 1`,
      `DELETE FROM "BudgetLine"`,
      `DROP TRIGGER "BudgetLine_append_only" ON "BudgetLine"`,
      `UPDATE "AuditEntry" SET "action" = 'x'`,
      `DELETE FROM "AuditEntry" WHERE "accountId" = '${account.id}'`,
      `DROP TRIGGER "AuditEntry_append_only" ON "AuditEntry"`,
      `DROP TRIGGER "Generation_guard" ON "Generation"`,
      `DROP TABLE "AuditEntry"`,
      `UPDATE "MemoryRevision" SET "title" = 'x'`,
      `UPDATE "Consent" SET "id" = 'x'`,
      `DELETE FROM "Wallet"`,
      `DELETE FROM "_prisma_migrations"`,
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
      `CREATE TABLE "Mine" (a int)`,
      `CREATE TEMPORARY TABLE "LedgerLine" (a int)`,
      `SET session_replication_role = replica`,
      `CREATE ROLE somebody`,
      `COPY "Account" TO PROGRAM 'cat'`,
      `SELECT pg_read_file('/etc/passwd')`,
    ];
    const answers: Record<string, string | undefined> = {};
    for (const attempt of attempts) answers[attempt] = await asApplication(attempt);
    expect(answers).toEqual(Object.fromEntries(attempts.map((attempt) => [attempt, DENIED])));
    expect(await service.db.ledgerLine.count()).toBe(lines);
  });

  it('has on every table the rights that are declared, and no other', async () => {
    const found = await rights();
    expect(found.size).toBeGreaterThan(30);
    for (const [name, has] of found) {
      const kept: readonly string[] = KEPT_TABLES[name] ?? [];
      const wanted = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'].filter((right) => !kept.includes(right));
      expect([name, has]).toEqual([name, wanted]);
    }
    expect(Object.keys(KEPT_TABLES).filter((name) => !found.has(name))).toEqual([]);
  });

  it('gets its rights back when somebody changed them, once, however many processes start together', async () => {
    const role = new URL(service.databaseUrl).username;
    await service.pool.query(
      `GRANT ALL ON "LedgerLine", "Memory" TO ${role}; REVOKE SELECT ON "Space" FROM ${role}`,
    );
    const changed = await Promise.all(
      Array.from({ length: 4 }, () => grantApplicationRights(service.ownerUrl, role)),
    );
    expect(changed).toContain(true);
    expect(await grantApplicationRights(service.ownerUrl, role)).toBe(false);
    expect((await rights()).get('LedgerLine')).toEqual(['SELECT', 'INSERT']);
    expect((await rights()).get('Space')).toEqual(['SELECT', 'INSERT', 'UPDATE', 'DELETE']);
  });

  it('is refused to a role that could do more: a superuser, or a member of the owner’s role', async () => {
    const owner = new URL(service.ownerUrl).username;
    const role = `too_strong_${process.pid}`;
    const client = new pg.Client({ connectionString: service.ownerUrl });
    await client.connect();
    try {
      await ensureApplicationRole(client, { role, password: 'x'.repeat(20) });
      await client.query(`GRANT ${owner} TO ${role}`);
      await expect(grantApplicationRights(service.ownerUrl, role)).rejects.toThrow('keeps rights');
      await client.query(`REVOKE ${owner} FROM ${role}`);
      await client.query(`ALTER ROLE ${role} SUPERUSER`);
      await expect(grantApplicationRights(service.ownerUrl, role)).rejects.toThrow('keeps rights');
    } finally {
      await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await client.end();
    }
  });
});
