type NavItem = {
  href: string;
  label: string;
  /** The second key of its `g …` shortcut. */
  key?: string;
  /** Hidden from members who are not founders: the page has nothing for them. */
  founder?: boolean;
  /** The figure of the shell that is shown beside the link. */
  counts?: 'toReview';
  /** Listed in the palette and linked from other pages, but not in the rail. */
  unlisted?: boolean;
};

type NavSection = { label: string; items: NavItem[] };

/**
 * The pages of the cockpit, for the rail, the phone's sheet, the palette and the breadcrumb. The icons are in a file of their own (`nav-icons.ts`),
 * because every page loads this one.
 */
export const NAV: NavSection[] = [
  {
    label: 'Brain',
    items: [
      { href: '/espaces', label: 'Espaces', key: 'e' },
      { href: '/recherche', label: 'Recherche', key: 'r' },
      { href: '/contexte', label: 'Contexte', key: 'x' },
      { href: '/propositions', label: 'Propositions', key: 'i' },
      { href: '/corbeille', label: 'Corbeille', key: 'b' },
    ],
  },
  {
    label: 'Studio',
    items: [
      { href: '/creer', label: 'Créer', key: 'c' },
      { href: '/journal', label: 'Journal', key: 'j' },
      {
        href: '/journal?review=to-review',
        label: 'À vérifier',
        key: 'w',
        counts: 'toReview',
      },
      { href: '/voix', label: 'Voix', key: 'v' },
      { href: '/modeles', label: 'Gabarits', key: 'm' },
      { href: '/avatars', label: 'Avatars', key: 'a' },
      { href: '/produits', label: 'Produits', key: 'p' },
      { href: '/envois', label: 'Envois', key: 'n' },
    ],
  },
  {
    label: 'Compte',
    items: [
      { href: '/portefeuille', label: 'Portefeuille', key: 's' },
      { href: '/developpeurs', label: 'Développeurs', key: 'd' },
      { href: '/projets', label: 'Projets', unlisted: true },
      { href: '/docs', label: 'Documentation', unlisted: true },
      { href: '/partages', label: 'Partages', unlisted: true },
      { href: '/applications', label: 'Applications', key: 'l' },
      { href: '/equipe', label: 'Équipe', key: 'q', founder: true },
      { href: '/audit', label: 'Audit', key: 'u', founder: true },
      { href: '/exploitation', label: 'Exploitation', key: 'o', founder: true },
    ],
  },
];

/** Pages in the phone's bar; the others are in its sheet. */
export const PHONE_BAR = ['/espaces', '/recherche', '/creer', '/journal'];

/** The navigation of one member. */
export function navFor(founder: boolean): NavSection[] {
  return NAV.map((section) => ({
    ...section,
    items: section.items.filter((item) => founder || !item.founder),
  }));
}

/** The section and the item of a path; null if there is none. */
export function locate(path: string): { section: NavSection; item: NavItem } | null {
  for (const section of NAV) {
    const item = section.items.find(({ href }) => path === href || path.startsWith(`${href}/`));
    if (item) return { section, item };
  }
  return null;
}
