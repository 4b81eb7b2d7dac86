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
  NotebookPen,
  Package,
  Ruler,
  Shapes,
  SlidersHorizontal,
  SquareKanban,
  UserRound,
  Users,
} from 'lucide';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import type { PillarRole } from '#lib/brain/templates.ts';
import { cx } from '../cx.ts';
import { pillarHue } from './pillar-hue.ts';

const ROLE_ICONS: Record<PillarRole, IconDrawing> = {
  IDENTITY: FingerprintPattern,
  GUIDELINES: Ruler,
  KNOWLEDGE: Library,
  ITEMS: Package,
  PEOPLE: Users,
};

const ICONS: Record<string, IconDrawing> = {
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

/** The icon that a template gives to a pillar (a lucide name); the icon of the role if the name is unknown. */
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
  return (
    <Icon
      of={(icon && ICONS[icon]) || ROLE_ICONS[role]}
      size={size}
      strokeWidth={1.75}
      className={cx('shrink-0', pillarHue(role).text, className)}
    />
  );
}

/** A pillar as a badge: colour, icon and label, never the colour alone. The label is not truncated: those of the templates are short. */
export function PillarBadge({ role, icon, label }: { role: PillarRole; icon?: string; label: string }) {
  const hue = pillarHue(role);
  return (
    <span className={cx('badge shrink', hue.soft, hue.text)}>
      <PillarIcon role={role} {...(icon ? { icon } : {})} className="size-3.5" />
      {label}
    </span>
  );
}
