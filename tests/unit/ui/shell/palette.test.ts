import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NAV } from '#app/_ui/shell/nav/nav.ts';
import { NAV_ICONS } from '#app/_ui/shell/nav/nav-icons.ts';
import { groupsFor, score, searchedOf } from '#app/_ui/shell/palette/rows.ts';
import type { Answer } from '#app/_ui/shell/palette/use-found.ts';
import { initials } from '#app/_ui/shell/shell.tsx';
import { PERMISSIONS } from '#lib/core/actor.ts';

const nothing: Answer = { families: [], recent: [], ignored: null, of: null, failed: false };
const ask = (text: string, more: Partial<Parameters<typeof groupsFor>[0]> = {}) =>
  groupsFor({
    text,
    offered: [],
    answer: nothing,
    founder: true,
    permissions: PERMISSIONS,
    createsSpaces: true,
    help: () => {},
    ...more,
  });
const labels = (groups: ReturnType<typeof groupsFor>) =>
  groups.flatMap(({ rows }) => rows.map(({ label }) => label));
const item = (id: string, label: string) => ({ id, label, detail: null, spaceId: 'spc_1' });

it('the initials of a name are whole characters', () => {
  expect(['Agnès Morvan', 'inès', '🕯️ Camille', 'Paul 👩‍🎨', ' '].map(initials)).toEqual([
    'AM',
    'I',
    '🕯C',
    'P👩',
    '',
  ]);
});

describe('the palette', () => {
  it('finds a command by the beginning of its words first, without accents or order', () => {
    expect(score('Créer une vidéo', 'video creer')).toBe(1);
    expect(score('Créer une vidéo', 'deo')).toBe(0.5);
    expect(score('Créer une vidéo', 'image')).toBe(0);
    expect(score('Créer une image', 'visuel', ['visuel'])).toBe(1);
  });

  it('searches the beginning of a long text that was pasted, and cuts no emoji in half: an address cannot hold one', () => {
    const pasted = `${'a'.repeat(199)}🕯️ et la suite`;
    expect(searchedOf(pasted)).toBe('a'.repeat(199));
    expect(labels(ask(searchedOf(pasted)))).not.toEqual([]);
    expect(searchedOf(`${'a'.repeat(198)}🕯️`)).toBe(`${'a'.repeat(198)}🕯`);
  });

  it('offers a new Space to who may create one, and not to who was given some', () => {
    expect(labels(ask('créer un espace'))).toContain('Créer un espace');
    expect(labels(ask('créer un espace', { createsSpaces: false }))).not.toContain('Créer un espace');
  });

  it('shows pages and verbs, then what the account holds, then the whole search, which is always there', () => {
    const answer: Answer = {
      ...nothing,
      of: 'journal',
      families: [{ family: 'memories', limit: 6, more: true, items: [item('mem_1', 'Journal de marque')] }],
    };
    expect(
      ask('journal', { answer }).map(({ heading, rows }) => [heading, rows.map(({ label }) => label)]),
    ).toEqual([
      ['Studio', ['Journal']],
      ['Mémoires · les 6 premiers résultats', ['Journal de marque']],
      [
        'Partout',
        [
          'Chercher «\u00a0journal\u00a0» dans les mémoires',
          'Chercher «\u00a0journal\u00a0» dans le journal',
        ],
      ],
    ]);
    expect(ask('zzz').map(({ heading }) => heading)).toEqual(['Partout']);
  });

  it('says that generations are found among the recent ones, beside the search of the whole journal', () => {
    const families: Answer['families'] = [
      { family: 'generations', limit: 5, more: false, items: [item('gen_1', 'Bougie')] },
    ];
    const found = ask('bougie', { answer: { ...nothing, of: 'bougie', families } });
    expect(found.map(({ heading }) => heading)).toEqual(['Générations récentes', 'Partout']);
    expect(found.at(-1)?.rows).toContainEqual(expect.objectContaining({ href: '/journal?q=bougie' }));
  });

  it('offers a member only the verbs and places that their rights open', () => {
    const reader = ask('', { founder: false, permissions: [] }).flatMap(({ rows }) =>
      rows.map(({ label }) => label),
    );
    expect(reader).not.toContain('Créer une image');
    expect(reader).not.toContain('Créer un espace');
    expect(reader).not.toContain('Inviter un membre');
    expect(ask('x', { founder: false, permissions: [] }).at(-1)?.rows.length).toBe(1);
  });

  it('begins with what was opened lately when nothing is typed', () => {
    const recent = [{ ...item('gen_1', 'Bougie'), family: 'generations' as const }];
    const [first] = ask('', { answer: { ...nothing, of: '', recent } });
    expect(first).toMatchObject({
      heading: 'Ouverts récemment',
      rows: [{ label: 'Bougie', href: '/journal/gen_1' }],
    });
  });
});

describe('the map of the pages', () => {
  const items = NAV.flatMap((section) => section.items);

  it('has an icon for each of its pages, and for no other', () => {
    expect(Object.keys(NAV_ICONS).sort()).toEqual(items.map(({ href }) => href).sort());
  });

  it('names every page of the cockpit but one’s own account, which one’s menu opens', () => {
    const named = new Set(items.map(({ href }) => href));
    const folders = readdirSync('app/(cockpit)', { withFileTypes: true })
      .filter((one) => one.isDirectory())
      .map(({ name }) => name);
    expect(folders.length).toBeGreaterThan(15);
    expect(folders.filter((name) => !named.has(`/${name}`))).toEqual(['compte']);
  });

  it('gives a key to one page alone', () => {
    const keys = items.flatMap(({ key }) => key ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

it('no page writes the sign of Apple’s Command key, which the font does not have: it is drawn', () => {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.filter((name) => readFileSync(path.join('app', name), 'utf8').includes('\u2318'))).toEqual([]);
});
