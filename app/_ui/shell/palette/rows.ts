import {
  AudioLines,
  Brain,
  CornerDownLeft,
  FileText,
  ImagePlus,
  Images,
  Keyboard,
  KeyRound,
  Plus,
  Search,
  User,
  UserPlus,
  Video,
} from 'lucide';
import type { IconDrawing } from '#app/_ui/icon.tsx';
import type { Found, FoundFamily, FoundItem } from '#lib/brain/queries/find-anything.ts';
import type { Permission } from '#lib/core/actor.ts';
import { foldAccents } from '#lib/core/text/fold.ts';
import { navFor } from '../nav/nav.ts';
import { NAV_ICONS } from '../nav/nav-icons.ts';
import type { Command } from './commands.ts';
import type { Answer } from './use-found.ts';

/** One line of the palette. */
export type Row = {
  /** Unique among the rows. */
  value: string;
  label: string;
  detail?: string | null;
  icon: IconDrawing;
  keys?: string;
} & ({ href: string } | { run: () => void });

export type Group = { heading: string; rows: Row[] };
type Local = Row & { words: string[] };

const FAMILIES: Record<FoundFamily, { label: string; icon: IconDrawing }> = {
  memories: { label: 'Mémoires', icon: FileText },
  spaces: { label: 'Espaces', icon: Brain },
  // Those are looked for among the latest; the line below them looks through the whole journal.
  generations: { label: 'Générations récentes', icon: Images },
  members: { label: 'Équipe', icon: User },
  keys: { label: 'Clés', icon: KeyRound },
};
const SHOWN_RECENTS = 6;

/** 1 if every typed word begins a word of the command or its keywords, 0.5 if one is only inside a word, 0 if one is missing. */
export function score(value: string, typed: string, keywords: string[] = []): number {
  const words = foldAccents([value, ...keywords].join(' ')).split(/[^\p{L}\p{N}]+/u);
  let worst = 1;
  for (const query of foldAccents(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)) {
    if (words.some((word) => word.startsWith(query))) continue;
    if (!words.some((word) => word.includes(query))) return 0;
    worst = 0.5;
  }
  return worst;
}

/** What the member may do. */
type Rights = { founder: boolean; permissions: readonly Permission[]; createsSpaces: boolean };

/** The actions that the member may start from anywhere. */
function verbs({ founder, permissions, createsSpaces }: Rights): Local[] {
  const may = (permission: Permission) => permissions.includes(permission);
  const verb = (label: string, href: string, icon: IconDrawing, ...words: string[]): Local => ({
    value: `verb:${href}`,
    label,
    href,
    icon,
    words,
  });
  return [
    ...(may('brain.write') && createsSpaces
      ? [verb('Créer un espace', '/espaces?nouveau', Plus, 'nouveau', 'ajouter')]
      : []),
    ...(may('generate')
      ? [
          verb('Créer une image', '/creer?type=image', ImagePlus, 'générer', 'visuel', 'photo'),
          verb('Créer un pictogramme', '/creer?type=vector', ImagePlus, 'générer', 'svg', 'icône'),
          verb('Créer une voix', '/creer?type=voice', AudioLines, 'générer', 'audio', 'lire'),
          verb('Créer une vidéo', '/creer?type=video', Video, 'générer', 'film', 'animer'),
        ]
      : []),
    ...(founder
      ? [verb('Inviter un membre', '/equipe?inviter', UserPlus, 'équipe', 'collègue', 'ajouter')]
      : []),
    verb('Créer une clé d’API', '/developpeurs?nouvelle', KeyRound, 'développeurs', 'programme', 'token'),
  ];
}

/** The address of an item of the account. */
function hrefOf(family: FoundFamily, { id, spaceId }: FoundItem, founder: boolean): string {
  switch (family) {
    case 'memories':
      return `/espaces/${spaceId}?memoire=${id}`;
    case 'spaces':
      return `/espaces/${id}`;
    case 'generations':
      return `/journal/${id}`;
    case 'members':
      return founder ? '/equipe' : `/journal?memberId=${id}`;
    default:
      return '/developpeurs';
  }
}

const rowOf = (family: FoundFamily, item: FoundItem, founder: boolean): Row => ({
  value: item.id,
  label: item.label,
  detail: item.detail,
  icon: FAMILIES[family].icon,
  href: hrefOf(family, item, founder),
});

const headingOf = ({ family, limit, more }: Found) =>
  more ? `${FAMILIES[family].label} · les ${limit} premiers résultats` : FAMILIES[family].label;

/** Characters that are searched for: the route accepts no more. */
export const LONGEST = 200;

/** What is searched of a text that was typed: its beginning, which cuts no emoji in half. */
export const searchedOf = (typed: string): string => typed.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');

/**
 * The groups of the palette for a text: what the page offers, actions and pages first, then the account's own items, then links to the full searches.
 * For an empty text: recent items first.
 */
export function groupsFor(
  input: Rights & {
    text: string;
    offered: readonly Command[];
    answer: Answer;
    help: () => void;
  },
): Group[] {
  const { text, offered, answer, founder, permissions } = input;
  const groups: { heading: string; rows: Local[] }[] = [];
  const add = (heading: string, rows: Local[]) => {
    const known = groups.find((group) => group.heading === heading);
    if (known) known.rows.push(...rows);
    else groups.push({ heading, rows });
  };
  for (const command of offered)
    add(command.group ?? 'Cette page', [
      {
        value: `command:${command.id}`,
        label: command.label,
        icon: CornerDownLeft,
        words: command.keywords ?? [],
        ...(command.keys ? { keys: command.keys } : {}),
        ...('href' in command ? { href: command.href } : { run: command.run }),
      },
    ]);
  const here = new Set(offered.map(({ label }) => label));
  add(
    'Actions',
    verbs(input).filter(({ label }) => !here.has(label)),
  );
  for (const section of navFor(founder))
    add(
      section.label,
      section.items.map(({ href, label, key }) => ({
        value: `page:${href}`,
        label,
        icon: NAV_ICONS[href] ?? CornerDownLeft,
        href,
        words: [section.label],
        ...(key ? { keys: `g ${key}` } : {}),
      })),
    );
  add('Aide', [
    { value: 'help', label: 'Raccourcis clavier', icon: Keyboard, keys: '?', words: [], run: input.help },
  ]);
  if (text === '') {
    const recent = answer.of === '' ? answer.recent.slice(0, SHOWN_RECENTS) : [];
    const rows = recent.map((item) => rowOf(item.family, item, founder));
    return [{ heading: 'Ouverts récemment', rows }, ...groups].filter((group) => group.rows.length > 0);
  }
  const matching = groups
    .map(({ heading, rows }) => {
      const kept = rows
        .map((row) => ({ row, score: score(row.label, text, row.words) }))
        .filter((one) => one.score > 0)
        .sort((a, b) => b.score - a.score);
      return { heading, rows: kept.map(({ row }) => row) };
    })
    .filter(({ rows }) => rows.length > 0);
  const found = answer.families.map((one) => ({
    heading: headingOf(one),
    rows: one.items.map((item) => rowOf(one.family, item, founder)),
  }));
  const asked = encodeURIComponent(text);
  const whole: Row[] = [
    {
      value: 'search',
      label: `Chercher «\u00a0${text}\u00a0» dans les mémoires`,
      icon: Search,
      href: `/recherche?q=${asked}`,
    },
  ];
  if (permissions.includes('generate'))
    whole.push({
      value: 'search-journal',
      label: `Chercher «\u00a0${text}\u00a0» dans le journal`,
      icon: Search,
      href: `/journal?q=${asked}`,
    });
  return [...matching, ...found, { heading: 'Partout', rows: whole }];
}
