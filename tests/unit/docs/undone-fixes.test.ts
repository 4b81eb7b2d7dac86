import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { UNDONE_ACCEPTANCE } from '../../../scripts/checks/undone/undone-acceptance.ts';
import { UNDONE_ACCOUNTS } from '../../../scripts/checks/undone/undone-accounts.ts';
import { UNDONE_CLAIMS } from '../../../scripts/checks/undone/undone-claims.ts';
import { UNDONE_FIXES } from '../../../scripts/checks/undone/undone-fixes.ts';
import { UNDONE_LIVED } from '../../../scripts/checks/undone/undone-lived.ts';
import { UNDONE_LOCK_ORDERS } from '../../../scripts/checks/undone/undone-lock-orders.ts';
import { UNDONE_LOCKS } from '../../../scripts/checks/undone/undone-locks.ts';
import { UNDONE_MOMENTS } from '../../../scripts/checks/undone/undone-moments.ts';
import { UNDONE_PROVIDER_FIXES } from '../../../scripts/checks/undone/undone-provider-fixes.ts';
import { UNDONE_SEARCH_FIXES } from '../../../scripts/checks/undone/undone-search-fixes.ts';

const ALL = [
  ...UNDONE_FIXES,
  ...UNDONE_PROVIDER_FIXES,
  ...UNDONE_ACCOUNTS,
  ...UNDONE_ACCEPTANCE,
  ...UNDONE_SEARCH_FIXES,
  ...UNDONE_LIVED,
  ...UNDONE_LOCKS,
  ...UNDONE_CLAIMS,
  ...UNDONE_LOCK_ORDERS,
  ...UNDONE_MOMENTS,
];
const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

test('every fix that npm run undo-fixes undoes is found once in its file, and its test is there', () => {
  const faults = ALL.flatMap(({ file, find, test: testFile, name }) => {
    const times = read(file).split(find).length - 1;
    const said =
      name
        .split(/%[sjo]/)[0]
        ?.split(' > ')
        .at(-1) ?? '';
    return [
      ...(times === 1 ? [] : [`${file} holds ${times} times: ${find}`]),
      ...(read(testFile).includes(said) ? [] : [`${testFile} has no test named: ${name}`]),
    ];
  });
  expect(faults).toEqual([]);
});
