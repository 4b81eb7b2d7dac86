'use client';
import { Bold, Heading, Italic, Link2, List, ListOrdered, Quote } from 'lucide';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { Icon, type IconDrawing } from '#app/_ui/icon.tsx';
import { useApple } from '#app/_ui/text/mod-key.tsx';
import type { Shortcut } from './markdown-edits.ts';
import { applyShortcut } from './write-field.ts';

const TOOLS: { shortcut: Shortcut; icon: IconDrawing; label: string; keys?: string }[] = [
  { shortcut: 'bold', icon: Bold, label: 'Gras', keys: 'B' },
  { shortcut: 'italic', icon: Italic, label: 'Italique', keys: 'I' },
  { shortcut: 'link', icon: Link2, label: 'Lien', keys: 'K' },
  { shortcut: 'heading', icon: Heading, label: 'Intertitre' },
  { shortcut: 'bullets', icon: List, label: 'Liste' },
  { shortcut: 'numbers', icon: ListOrdered, label: 'Liste numérotée' },
  { shortcut: 'quote', icon: Quote, label: 'Citation' },
];

/** The Markdown toolbar above the field. It is one tab stop with arrow keys between tools, and keeps the selection of the text. */
export function Toolbar({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const [stop, setStop] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const [mod, key] = useApple() ? ['Cmd', 'Meta'] : ['Ctrl', 'Control'];
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: TOOLS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + TOOLS.length) % TOOLS.length;
    setStop(next);
    bar.current?.querySelectorAll('button').item(next).focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label="Mise en forme"
      onKeyDown={onKeyDown}
      className="-ml-1.5 flex flex-wrap gap-0.5"
    >
      {TOOLS.map(({ shortcut, icon, label, keys }, index) => (
        <button
          key={shortcut}
          type="button"
          aria-label={label}
          data-tip={keys ? `${label} · ${mod} ${keys}` : label}
          {...(keys ? { 'aria-keyshortcuts': `${key}+${keys}` } : {})}
          tabIndex={index === stop ? 0 : -1}
          onFocus={() => setStop(index)}
          // Prevents a mouse press from taking the field's focus and selection.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => area.current && applyShortcut(area.current, shortcut)}
          className="touch grid size-8 place-items-center rounded-md text-ink-soft hover:bg-hover hover:text-ink"
        >
          <Icon of={icon} size={16} strokeWidth={1.75} />
        </button>
      ))}
    </div>
  );
}
