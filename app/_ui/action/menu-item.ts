import type { IconDrawing } from '#app/_ui/icon.tsx';

/** One line of a menu: an action, a link, a separator, a heading, or a choice among options. */
export type MenuItem =
  | {
      label: string;
      icon?: IconDrawing;
      keys?: string;
      tone?: 'danger';
      disabled?: boolean;
      href?: string;
      onSelect?: () => void;
      /** Instead of `onSelect`: the text to copy, and the title of the toast. */
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
