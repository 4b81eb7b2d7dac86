import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const FORBIDDEN = [
  {
    what: 'a numbered parameter',
    pattern: /\$\d+(?=::|[\s,)\]}"'`]|$)/,
    only: /\b(SELECT|INSERT|UPDATE|DELETE|WHERE|VALUES|SET)\b/,
  },
  { what: 'a transaction of Prisma', pattern: /\$transaction\b/ },
  { what: 'SQL of Prisma', pattern: /\$(queryRaw|executeRaw)/ },
  { what: 'a query of the pool', pattern: /\bpool\.(query|connect)\b/ },
  {
    what: 'a transaction that is not transaction(ctx, work)',
    pattern: /\.(transaction|startTransaction)\(\)/,
  },
];

/** Statements written as a single text (`sql` from the first word to the last), by file: how many, and why the builder cannot express them. */
const WHOLE: Record<string, [count: number, why: string]> = {
  'lib/brain/memories/lock-subtree.ts': [1, 'a lock, of no table'],
  'lib/http/runtime/health.ts': [1, 'the table of Prisma’s migrations, which the schema does not have'],
  'lib/identity/accounts/set-operator.ts': [1, 'a lock, of no table'],
  'lib/identity/purge-expired.ts': [1, 'ctid, and tables that a list names'],
  'lib/identity/sign-in/throttle.ts': [2, 'as many steps as there are windows'],
  'lib/oauth/require-live-secret.ts': [
    4,
    'counts under a key that what it found decides, a row that may not be there',
  ],
  'lib/storage/bin/erase-rows.ts': [
    2,
    'tables that a list names, one row of an array and its own rows beside it',
  ],
  'lib/storage/offboarding/erase-closed.ts': [4, 'functions of the database, and tables that a list names'],
  'lib/storage/offboarding/sections.ts': [3, 'all columns of tables that a list names'],
  'lib/webhooks/delivery/thresholds.ts': [
    1,
    'four lists in one, and rows that are no table’s (VALUES, unnest)',
  ],
};
const STATEMENT = /\bsql(?:<[^`]*?>)?`\s*(?:with|insert|update|delete|select)\b/gi;
// The driver itself, and the setup of the embedded server before the service exists.
const PLUMBING = ['lib/db/', 'lib/local/postgres/', 'lib/local/prisma/'];

/** Where a file reaches the data other than through lib/db (docs/decisions/0010-data-layer.md). */
function faultsOf(file: string, text: string): string[] {
  return FORBIDDEN.flatMap(({ what, pattern, only }) =>
    text
      .split('\n')
      .flatMap((line, i) =>
        pattern.test(line) && (only?.test(text) ?? true) && !/\/\^|\.replace|\.exec\(/.test(line)
          ? [`${file}:${i + 1} ${what}`]
          : [],
      ),
  );
}

test('lib reaches the data by lib/db alone', () => {
  const files = globSync('lib/**/*.ts', { cwd: root }).filter(
    (file) => !PLUMBING.some((folder) => file.startsWith(folder)),
  );
  expect(files.length).toBeGreaterThan(300);
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), 'utf8')));
  expect(faults).toEqual([]);
});

test('a whole statement is a text only where the builder cannot say it, each with its reason', () => {
  const found = globSync('{lib,app}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.startsWith('lib/db/'))
    .map((file): [string, number] => [
      file,
      [...readFileSync(path.join(root, file), 'utf8').matchAll(STATEMENT)].length,
    ])
    .filter(([, count]) => count > 0);
  const allowed = Object.entries(WHOLE).map(([file, [count]]): [string, number] => [file, count]);
  expect(found.sort()).toEqual(allowed.sort());
});

test('every statement that writes audit entries writes all their columns, the trace among them', () => {
  const writers = globSync('{lib,app}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.startsWith('lib/db/'))
    .flatMap((file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split(/insertInto\('AuditEntry'\)|\bauditEntry\.create/)
        .slice(1)
        .map((rest) => [file, rest.trimStart().startsWith('.columns(AUDIT_ENTRY.columns)')]),
    );
  expect(writers.length).toBeGreaterThan(3);
  expect(writers.filter(([, isWhole]) => !isWhole)).toEqual([]);
});

test('the check sees what it forbids', () => {
  const wrong = [
    'const READ = `SELECT id FROM "Account" WHERE id = $1`;',
    'SELECT 1; ($2::int[])',
    'await ctx.db.$transaction(async (tx) => {})',
    'await tx.$queryRaw`SELECT 1`',
    'await pool.query("SELECT 1")',
    'await ctx.kysely.transaction().execute(work)',
  ];
  for (const line of wrong) expect(faultsOf('x.ts', line), line).toHaveLength(1);
  expect(faultsOf('x.ts', 'const cost = `$${amount}`; // SELECT')).toEqual([]);
});
