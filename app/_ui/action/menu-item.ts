import type { IconDrawing } from '#app/_ui/icon.tsx';

/** One line of a menu: an action or a link, a line between groups, a heading, or a choice among options. */
export type MenuItem =
  | {
      label: string;
      icon?: IconDrawing;
      keys?: string;
      tone?: 'danger';
      disabled?: boolean;
      href?: string;
      onSelect?: () => void;
      /** Instead: what it puts on the clipboard, and what is then said. */
      copies?: { text: string; done: string };
    }
  | { separator: true }
  | { heading: string }
  | {
      label: string;
      value: string;
      options: { value: string; label: string }[];
      onChange: (v: string) => void;
    };
