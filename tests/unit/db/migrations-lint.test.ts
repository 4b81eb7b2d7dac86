import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { REVIEWED } from './reviewed-migrations.ts';

/** Changes on which an instance of the former version would fail, or wait, while the database is migrated (docs/deploy.md). */
const RULES = [
  'adding-field-with-default',
  'adding-foreign-key-constraint',
  'adding-not-nullable-field',
  'adding-required-field',
  'adding-serial-primary-key-field',
  'ban-alter-domain-with-add-constraint',
  'ban-drop-column',
  'ban-drop-database',
  'ban-drop-not-null',
  'ban-drop-table',
  'ban-truncate-cascade',
  'changing-column-type',
  'constraint-missing-not-valid',
  'disallowed-unique-constraint',
  'renaming-column',
  'renaming-table',
  'require-concurrent-index-creation',
  'require-concurrent-index-deletion',
];
// Only the binary for the platform of CI is a dependency: not all platforms have one, and a lock file that lacks one is
// refused.
const squawk = path.join(repositoryRoot, 'node_modules/@squawk-cli/linux-x64/bin/squawk');
const folder = path.join(repositoryRoot, 'prisma/migrations');

type Found = { file: string; line: number; rule_name: string; level: string };

/** The faults in these files or in this SQL. A statement of a migration runs in the transaction of the whole migration. */
function lint(input: { files: string[] } | { sql: string }): Found[] {
  const args = ['--assume-in-transaction', '--pg-version', '15.0', '--reporter', 'json'];
  const given = 'files' in input ? input.files : ['--stdin-filepath', 'new.sql'];
  const { stdout, stderr } = spawnSync(squawk, [...args, ...given], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    ...('sql' in input ? { input: input.sql } : {}),
  });
  if (!stdout.trim().startsWith('[')) throw new Error(stderr || stdout);
  const found = JSON.parse(stdout) as Found[];
  const unread = found.filter(({ rule_name }) => rule_name === 'syntax-error');
  if (unread.length > 0) throw new Error(JSON.stringify(unread.slice(0, 3)));
  return found.filter(({ rule_name }) => RULES.includes(rule_name));
}

const isHere = process.platform === 'linux' && process.arch === 'x64';

describe.skipIf(!isHere)('the migrations', () => {
  it('expand first and contract later: none breaks what runs beside it but those that were reviewed', () => {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => name);
    const found = lint({ files: names.map((name) => path.join(folder, name, 'migration.sql')) });
    const rules: Record<string, string[]> = {};
    for (const { file, rule_name } of found) {
      const name = path.basename(path.dirname(file));
      rules[name] = [...new Set([...(rules[name] ?? []), rule_name])].sort();
    }
    const reviewed = Object.entries(REVIEWED).map(([name, one]) => [name, [...one.rules].sort()]);
    expect(rules).toEqual(Object.fromEntries(reviewed));
  });

  it.each([
    ['ALTER TABLE "Memory" DROP COLUMN "title";', 'ban-drop-column'],
    ['ALTER TABLE "Memory" RENAME COLUMN "title" TO "name";', 'renaming-column'],
    ['ALTER TABLE "Memory" RENAME TO "Note";', 'renaming-table'],
    ['DROP TABLE "Memory";', 'ban-drop-table'],
    ['ALTER TABLE "Memory" ADD COLUMN "owner" text NOT NULL;', 'adding-required-field'],
    ['ALTER TABLE "Memory" ALTER COLUMN "title" SET NOT NULL;', 'adding-not-nullable-field'],
    ['ALTER TABLE "Memory" ALTER COLUMN "title" TYPE varchar(10);', 'changing-column-type'],
    ['CREATE INDEX "i" ON "Memory" ("title");', 'require-concurrent-index-creation'],
    ['ALTER TABLE "Memory" ADD CONSTRAINT "c" CHECK ("title" <> \'\');', 'constraint-missing-not-valid'],
  ])('are refused, unless reviewed: %s', (sql, rule) => {
    expect(lint({ sql }).map(({ rule_name }) => rule_name)).toContain(rule);
  });

  it('may add a table with its indexes, a column that may be empty, and a check that is not valid yet', () => {
    const sql = `CREATE TABLE "Note" ("id" text PRIMARY KEY, "body" text NOT NULL);
      CREATE INDEX "Note_body" ON "Note" ("body");
      ALTER TABLE "Memory" ADD COLUMN "owner" text;
      ALTER TABLE "Memory" ADD CONSTRAINT "c" CHECK ("title" <> '') NOT VALID;`;
    expect(lint({ sql })).toEqual([]);
  });
});
