import { expect, test } from 'vitest';
import { checkRules, citedRules, readRules } from '../../../scripts/reports/check-rules.ts';

test('every rule that code, tests or documents cite is stated in docs/spec, and every rule has its row in docs/coverage.md', async () => {
  const { rules, cited, faults } = await checkRules();
  expect(faults).toEqual([]);
  expect(rules).toBeGreaterThan(350);
  expect(cited).toBeGreaterThan(rules);
});

test('rules are numbered in their order, each once', async () => {
  const rules = await readRules();
  for (const half of ['B', 'S', 'C']) {
    const numbers = rules.flatMap((rule) => (rule.startsWith(`${half}-`) ? [Number(rule.slice(2))] : []));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
  }
});

test('a citation is read alone, in a list or as a range, and not out of other words', () => {
  const [b, s] = ['B', 'S'];
  expect(citedRules(`(${b}-107 to ${b}-109, ${s}-4)`)).toEqual([
    `${b}-107`,
    `${b}-108`,
    `${b}-109`,
    `${s}-4`,
  ]);
  expect(citedRules(`U${b}-40, ${b}-1234, ${s}-3x and A-${b}-2`)).toEqual([]);
});
