import {
  Activity,
  AudioLines,
  BookOpen,
  BookUser,
  Boxes,
  Brain,
  CodeXml,
  Cpu,
  FileText,
  FolderGit2,
  History,
  Images,
  Inbox,
  ListChecks,
  type LucideIcon,
  Package,
  Search,
  Share2,
  Sparkles,
  Trash2,
  Upload,
  Users,
  Wallet,
} from 'lucide-react';

export type NavItem = {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Second key of `g …`. */
  key?: string;
  /** Left out for those who are not founders: there is nothing for them behind it. */
  founder?: boolean;
  /** What of the shell is counted beside it. */
  counts?: 'toReview';
  /** Reached through the palette and from other pages, not from the rail. */
  unlisted?: boolean;
};

export type NavSection = { label: string; items: NavItem[] };

/** Where things are: the one map of the cockpit, for the rail, the phone's sheet, the palette and the breadcrumb. */
export const NAV: NavSection[] = [
  {
    label: 'Brain',
    items: [
      { href: '/espaces', label: 'Espaces', icon: Brain, key: 'e' },
      { href: '/recherche', label: 'Recherche', icon: Search, key: 'r' },
      { href: '/contexte', label: 'Contexte', icon: FileText, key: 'x' },
      { href: '/propositions', label: 'Propositions', icon: Inbox, key: 'i' },
      { href: '/corbeille', label: 'Corbeille', icon: Trash2, key: 'b' },
    ],
  },
  {
    label: 'Studio',
    items: [
      { href: '/creer', label: 'Créer', icon: Sparkles, key: 'c' },
      { href: '/journal', label: 'Journal', icon: Images, key: 'j' },
      {
        href: '/journal?review=to-review',
        label: 'À vérifier',
        icon: ListChecks,
        key: 'w',
        counts: 'toReview',
      },
      { href: '/voix', label: 'Voix', icon: AudioLines, key: 'v' },
      { href: '/modeles', label: 'Gabarits', icon: Cpu, key: 'm' },
      { href: '/avatars', label: 'Avatars', icon: BookUser, key: 'a' },
      { href: '/produits', label: 'Produits', icon: Package, key: 'p' },
      { href: '/envois', label: 'Envois', icon: Upload, key: 'n' },
    ],
  },
  {
    label: 'Compte',
    items: [
      { href: '/portefeuille', label: 'Portefeuille', icon: Wallet, key: 's' },
      { href: '/developpeurs', label: 'Développeurs', icon: CodeXml, key: 'd' },
      { href: '/projets', label: 'Projets', icon: FolderGit2, unlisted: true },
      { href: '/docs', label: 'Documentation', icon: BookOpen, unlisted: true },
      { href: '/partages', label: 'Partages', icon: Share2, unlisted: true },
      { href: '/applications', label: 'Applications', icon: Boxes, key: 'l' },
      { href: '/equipe', label: 'Équipe', icon: Users, key: 'q', founder: true },
      { href: '/audit', label: 'Audit', icon: History, key: 'u', founder: true },
      { href: '/exploitation', label: 'Exploitation', icon: Activity, key: 'o', founder: true },
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
