import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { projectFiles } from './project-files.ts';

// node scripts/reports/check-tour.ts: fails when docs/tour.md names a file that is not there, or that no file before it leads to.
const STEP = /^\d+\. `([^`]+)`: \S/;
const IMPORT = /(?:from|import)\s*\(?\s*'((?:#|\.)[^']+)'/g;

export type Tour = { walks: { title: string; steps: string[] }[]; faults: string[] };

/** The walks of `docs/tour.md`, and what is wrong with them: a step is an entry point (`app`, `scripts`), data (`prisma`), or imported by a step before it. */
export async function readTour(): Promise<Tour> {
  const known = new Set(await projectFiles());
  const text = await readFile(path.join(repositoryRoot, 'docs', 'tour.md'), 'utf8');
  const walks: Tour['walks'] = [];
  const faults: string[] = [];
  let reached = new Set<string>();
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) {
      walks.push({ title: line.slice(3), steps: [] });
      reached = new Set();
    }
    if (!/^\d+\. /.test(line)) continue;
    const walk = walks.at(-1);
    const file = STEP.exec(line)?.[1];
    if (!walk || !file) {
      faults.push(`« ${line} » is no step`);
      continue;
    }
    walk.steps.push(file);
    if (!known.has(file)) faults.push(`${walk.title}: ${file} does not exist`);
    else if (!/^(?:app|scripts|prisma)\//.test(file) && !reached.has(file))
      faults.push(`${walk.title}: no step before ${file} imports it`);
    for (const next of await importsOf(file)) reached.add(next);
  }
  return { walks, faults };
}

async function importsOf(file: string): Promise<string[]> {
  const source = await readFile(path.join(repositoryRoot, file), 'utf8').catch(() => '');
  return [...source.matchAll(IMPORT)].map(([, name]) => {
    const given = name as string;
    return given.startsWith('#') ? given.slice(1) : path.posix.join(path.posix.dirname(file), given);
  });
}

if (import.meta.main) {
  const { walks, faults } = await readTour();
  for (const { title, steps } of walks) console.log(`${title}: ${steps.length} files`);
  for (const fault of faults) console.error(`✗ ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
