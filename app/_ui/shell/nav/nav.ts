type NavItem = {
  href: string;
  label: string;
  /** Second key of `g …`. */
  key?: string;
  /** Left out for those who are not founders: there is nothing for them behind it. */
  founder?: boolean;
  /** What of the shell is counted beside it. */
  counts?: 'toReview';
  /** Reached through the palette and from other pages, not from the rail. */
  unlisted?: boolean;
};

type NavSection = { label: string; items: NavItem[] };

/**
 * Where things are: the one map of the cockpit, for the rail, the phone's sheet, the palette and the breadcrumb. Its icons are apart
 * (`nav-icons.ts`): every page loads this one.
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

/** Pages on the phone's bar; the others are one tap further, in its sheet. */
export const PHONE_BAR = ['/espaces', '/recherche', '/creer', '/journal'];

/** The map for one member. */
export function navFor(founder: boolean): NavSection[] {
  return NAV.map((section) => ({
    ...section,
    items: section.items.filter((item) => founder || !item.founder),
  }));
}

/** The section and the item that hold a path, if any. */
export function locate(path: string): { section: NavSection; item: NavItem } | null {
  for (const section of NAV) {
    const item = section.items.find(({ href }) => path === href || path.startsWith(`${href}/`));
    if (item) return { section, item };
  }
  return null;
}
