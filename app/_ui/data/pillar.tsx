import {
  AppWindow,
  Blocks,
  BookOpen,
  Briefcase,
  Compass,
  FingerprintPattern,
  FolderOpen,
  HeartHandshake,
  Library,
  ListChecks,
  ListTodo,
  type LucideIcon,
  NotebookPen,
  Package,
  Ruler,
  Shapes,
  SlidersHorizontal,
  SquareKanban,
  UserRound,
  Users,
} from 'lucide-react';
import type { PillarRole } from '#lib/brain/templates.ts';
import { cx } from '../cx.ts';

const HUES: Record<PillarRole, { text: string; soft: string; fill: string; icon: LucideIcon }> = {
  IDENTITY: {
    text: 'text-identity',
    soft: 'bg-identity-soft',
    fill: 'bg-identity',
    icon: FingerprintPattern,
  },
  GUIDELINES: { text: 'text-guidelines', soft: 'bg-guidelines-soft', fill: 'bg-guidelines', icon: Ruler },
  KNOWLEDGE: { text: 'text-knowledge', soft: 'bg-knowledge-soft', fill: 'bg-knowledge', icon: Library },
  ITEMS: { text: 'text-items', soft: 'bg-items-soft', fill: 'bg-items', icon: Package },
  PEOPLE: { text: 'text-people', soft: 'bg-people-soft', fill: 'bg-people', icon: Users },
};

const ICONS: Record<string, LucideIcon> = {
  'app-window': AppWindow,
  blocks: Blocks,
  'book-open': BookOpen,
  briefcase: Briefcase,
  compass: Compass,
  'fingerprint-pattern': FingerprintPattern,
  'folder-open': FolderOpen,
  'heart-handshake': HeartHandshake,
  library: Library,
  'list-checks': ListChecks,
  'list-todo': ListTodo,
  'notebook-pen': NotebookPen,
  package: Package,
  ruler: Ruler,
  shapes: Shapes,
  'sliders-horizontal': SlidersHorizontal,
  'square-kanban': SquareKanban,
  'user-round': UserRound,
  users: Users,
};

/** Classes of a pillar's hue: text, pale ground, full fill. Always beside its icon and its label. */
export function pillarHue(role: PillarRole): { text: string; soft: string; fill: string } {
  return HUES[role];
}

/** The icon that a template gives to a pillar (its lucide name); the role's own when it names none we know. */
export function PillarIcon({
  role,
  icon,
  size = 16,
  className,
}: {
  role: PillarRole;
  icon?: string;
  size?: 16 | 20;
  className?: string;
}) {
  const Icon = (icon && ICONS[icon]) || HUES[role].icon;
  return (
    <Icon aria-hidden size={size} strokeWidth={1.75} className={cx('shrink-0', HUES[role].text, className)} />
  );
}

/** A pillar in one word: hue, icon and label, never the colour alone. */
export function PillarBadge({ role, icon, label }: { role: PillarRole; icon?: string; label: string }) {
  const hue = HUES[role];
  return (
    <span
      className={cx(
        'inline-flex h-6 max-w-full items-center gap-1.5 rounded-full px-2 font-medium text-xs',
        hue.soft,
        hue.text,
      )}
    >
      <PillarIcon role={role} {...(icon ? { icon } : {})} className="size-3.5" />
      <span className="truncate">{label}</span>
    </span>
  );
}
