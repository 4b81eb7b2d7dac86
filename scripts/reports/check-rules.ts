import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { projectFiles } from './project-files.ts';

// node scripts/reports/check-rules.ts: fails when a rule is cited that docs/spec does not state, or has no row in docs/coverage.md.
const RULE_LINE = /^- \*\*([BSC]-\d+)\*\* \S/;
const CITED = /(?<![\w-])([BSC])-(\d{1,3})(?: to [BSC]-(\d{1,3}))?(?![\w-])/g;
/** How rules were cited before they had numbers. */
const OLD_CITATION = /spec\/(?:context-api|studio)\b|\(DESIGN[ ,)]/;
const CITING = /\.(?:ts|tsx|mjs|md|prisma|sql|yml)$/;

type RuleFaults = { rules: number; cited: number; faults: string[] };

/** The rules that `docs/spec` states, in their order. A number stated twice is listed twice. */
export async function readRules(): Promise<string[]> {
  const folder = path.join(repositoryRoot, 'docs', 'spec');
  const rules: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const text = await readFile(path.join(folder, name), 'utf8');
    for (const line of text.split('\n')) {
      const rule = RULE_LINE.exec(line)?.[1];
      if (rule) rules.push(rule);
    }
  }
  return rules;
}

/** The rules that a text cites; `S-71 to S-78` cites them all. */
export function citedRules(text: string): string[] {
  return [...text.matchAll(CITED)].flatMap(([, half, first, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)];
    return Array.from({ length: Math.max(1, to - from + 1) }, (_, i) => `${half}-${from + i}`);
  });
}

/** Every citation checked against `docs/spec`, and every rule against the rows of `docs/coverage.md`. */
export async function checkRules(): Promise<RuleFaults> {
  const rules = await readRules();
  const known = new Set(rules);
  const faults = rules.filter((rule, i) => rules.indexOf(rule) < i).map((rule) => `${rule} is stated twice`);
  let cited = 0;
  for (const file of await projectFiles()) {
    if (!CITING.test(file) || file.startsWith('docs/spec/')) continue;
    const text = await readFile(path.join(repositoryRoot, file), 'utf8');
    for (const rule of citedRules(text)) {
      cited += 1;
      if (!known.has(rule)) faults.push(`${file} cites ${rule}, which docs/spec does not state`);
    }
    if (OLD_CITATION.test(text) && !file.endsWith('check-rules.ts'))
      faults.push(`${file} cites the specification without a rule's number`);
  }
  const coverage = await readFile(path.join(repositoryRoot, 'docs', 'coverage.md'), 'utf8');
  const rows = [...coverage.matchAll(/^\| ([BSC]-\d+) /gm)].map(([, rule]) => rule as string);
  const covered = new Set(rows);
  for (const rule of known) if (!covered.has(rule)) faults.push(`docs/coverage.md has no row for ${rule}`);
  for (const row of coverage.split('\n'))
    if (/^\| (?!Rule \|)\S/.test(row) && !/^\| [BSC]-\d+ /.test(row))
      faults.push(`docs/coverage.md has a row without a rule: ${row.slice(0, 60)}`);
  return { rules: rules.length, cited, faults };
}

if (import.meta.main) {
  const { rules, cited, faults } = await checkRules();
  console.log(`${rules} rules, ${cited} citations`);
  for (const fault of faults) console.error(`✗ ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
