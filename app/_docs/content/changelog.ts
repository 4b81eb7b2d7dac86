import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DocPage, DocSection } from '../writing/page.ts';

/** The repository's own words, in English: what users and operators notice, released and waiting. */
export const CHANGELOG: DocPage = {
  slug: 'changements',
  title: 'Changements',
  summary: 'Ce qui a changé, version par version, et ce qui attend la prochaine.',
  group: 'Règles',
  introduction: () =>
    'La plus récente d’abord, en anglais\u00a0: ce sont les notes mêmes du dépôt. Ce qui peut changer, et comment on en est prévenu, est dit dans [Versions et retraits](/docs/versions).',
  sections: () => [...waiting(), ...released()],
};

const here = (...parts: string[]) => path.join(/* turbopackIgnore: true */ process.cwd(), ...parts);

function released(): DocSection[] {
  const [, ...versions] = readText('CHANGELOG.md').split(/^## /m);
  return versions.map((version) => {
    const [title = '', ...lines] = version.split('\n');
    return {
      id: `version-${title.trim()}`,
      title: `Version ${title.trim()}`,
      level: 2,
      text: lines.join('\n').trim(),
    };
  });
}

/** What the next version will say: a file per change, its words after its front matter. */
function waiting(): DocSection[] {
  const notes = readdirSync(here('.changeset'))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => readText('.changeset', name).split(/^---$/m).slice(2).join('---').trim())
    .filter((words) => words !== '');
  if (notes.length === 0) return [];
  const items = notes.map((words) => `- ${words.replace(/\n+/g, ' ')}`);
  return [{ id: 'a-venir', title: 'À venir', level: 2, text: items.join('\n') }];
}

const readText = (...parts: string[]) => readFileSync(here(...parts), 'utf8');
