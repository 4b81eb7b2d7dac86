'use client';
import { Command as Cmdk } from 'cmdk';
import { Search } from 'lucide';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { mustStay } from '#app/_ui/must-stay.ts';
import Panel from '#app/_ui/overlay/panel.tsx';
import { isComposing } from '#app/_ui/text/composing.ts';
import { Kbd } from '#app/_ui/text/kbd.tsx';
import type { Permission } from '#lib/core/actor.ts';
import { useRegisteredCommands } from './commands.ts';
import { openHelp } from './open.ts';
import { rememberAddress } from './recents.ts';
import { groupsFor, LONGEST, type Row, searchedOf } from './rows.ts';
import { useFound } from './use-found.ts';

const ROW =
  'flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm select-none -outline-offset-1 data-[selected=true]:bg-hover data-[selected=true]:outline data-[selected=true]:outline-line-strong [&_svg]:shrink-0 [&_svg]:text-ink-faint';
const HEADING =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-faint [&_[cmdk-group-heading]]:text-xs';
const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

type PaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  founder: boolean;
  permissions: readonly Permission[];
  createsSpaces: boolean;
};

/** Finds anything in the account, opens any page, and runs the commands of the current page. Loaded on demand. */
export default function Palette({ open, onOpenChange, founder, permissions, createsSpaces }: PaletteProps) {
  const router = useRouter();
  const offered = useRegisteredCommands();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const whole = typed.trim().replace(/\s+/g, ' ');
  const text = searchedOf(whole);
  const answer = useFound(text, open);
  // Until an arrow key moves the selection, the first line is selected, whatever results arrive above it.
  const moved = useRef(false);
  const entered = useRef(false);
  const groups = groupsFor({ text, offered, answer, founder, permissions, createsSpaces, help: openHelp });
  const first = groups[0]?.rows[0];
  const waits = answer.of !== text;
  const notes = [
    whole.length > LONGEST ? `Seuls les ${LONGEST} premiers caractères sont cherchés.` : null,
    answer.failed
      ? 'Le compte n’a pas répondu\u00a0: seules les pages et les actions sont proposées.'
      : answer.ignored,
  ].filter(Boolean);

  const act = (row: Row) => {
    onOpenChange(false);
    if ('run' in row) return row.run();
    rememberAddress(row.href);
    if (!mustStay(row.label)) router.push(row.href);
  };
  const latest = useRef(act);
  latest.current = act;

  useEffect(() => {
    if (!moved.current) setChosen(first?.value ?? '');
  }, [first?.value]);
  useEffect(() => {
    if (open) return;
    setTyped('');
    moved.current = false;
    entered.current = false;
  }, [open]);
  // Enter pressed before the answer opens the first line of the answer.
  useEffect(() => {
    if (waits || !entered.current) return;
    entered.current = false;
    if (first) latest.current(first);
  }, [waits, first]);

  const down = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (MOVES.has(event.key)) moved.current = true;
    if (event.key !== 'Enter' || !waits || moved.current || text === '') return;
    event.preventDefault();
    entered.current = true;
  };

  return (
    <Panel open={open} onOpenChange={onOpenChange} shape="bare" title="Chercher ou agir">
      <Cmdk
        label="Commandes"
        shouldFilter={false}
        loop
        value={chosen}
        onValueChange={setChosen}
        onKeyDown={down}
        className="flex max-h-[inherit] flex-col"
      >
        <div className="flex h-12 shrink-0 items-center gap-3 border-line border-b px-4">
          <Icon of={Search} size={16} className="shrink-0 text-ink-faint" />
          <Cmdk.Input
            autoFocus
            value={typed}
            onValueChange={(next) => {
              moved.current = false;
              entered.current = false;
              setTyped(next);
              setChosen(first?.value ?? '');
            }}
            placeholder="Une mémoire, une image, une page, une action"
            className="h-full min-w-0 grow bg-transparent text-sm outline-none focus-visible:outline-none pointer-coarse:text-base"
          />
          <Kbd keys="Échap" />
        </div>
        <Cmdk.List
          aria-busy={waits}
          data-answers={answer.of ?? undefined}
          className="max-h-[min(26rem,56vh)] overflow-y-auto overscroll-contain p-2"
        >
          {groups.map(({ heading, rows }) => (
            <Cmdk.Group key={heading} heading={heading} className={HEADING}>
              {rows.map((row) => (
                <Cmdk.Item key={row.value} value={row.value} className={ROW} onSelect={() => act(row)}>
                  <Icon of={row.icon} size={16} strokeWidth={1.75} />
                  <span className="min-w-0 grow truncate">{row.label}</span>
                  {row.detail ? (
                    <span className="max-w-[40%] shrink-0 truncate text-ink-faint text-xs">{row.detail}</span>
                  ) : null}
                  {row.keys ? <Kbd keys={row.keys} /> : null}
                </Cmdk.Item>
              ))}
            </Cmdk.Group>
          ))}
        </Cmdk.List>
        {/* In the page before its text: some screen readers do not announce a region that appears with its text. */}
        <p
          role="status"
          className="shrink-0 border-line border-t px-5 py-2 text-ink-soft text-sm empty:border-0 empty:p-0"
        >
          {text === '' ? '' : notes.join(' ')}
        </p>
      </Cmdk>
    </Panel>
  );
}
