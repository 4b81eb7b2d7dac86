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
];
// The driver itself, and what the embedded server is set up with before there is a service.
const PLUMBING = ['lib/db/', 'lib/local/postgres/', 'lib/local/prisma/'];

/** Where a file leaves the one way to the data (docs/decisions/0010-data-layer.md). */
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

test('the check sees what it forbids', () => {
  const wrong = [
    'const READ = `SELECT id FROM "Account" WHERE id = $1`;',
    'SELECT 1; ($2::int[])',
    'await ctx.db.$transaction(async (tx) => {})',
    'await tx.$queryRaw`SELECT 1`',
    'await pool.query("SELECT 1")',
  ];
  for (const line of wrong) expect(faultsOf('x.ts', line), line).toHaveLength(1);
  expect(faultsOf('x.ts', 'const cost = `$${amount}`; // SELECT')).toEqual([]);
});
