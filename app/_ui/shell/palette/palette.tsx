'use client';
import { Command as Cmdk } from 'cmdk';
import { CornerDownLeft, Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import Panel from '#app/_ui/overlay/panel.tsx';
import { Kbd } from '#app/_ui/text/kbd.tsx';
import { foldAccents } from '#lib/core/text/fold.ts';
import { navFor } from '../nav/nav.ts';
import { type Command, useRegisteredCommands } from './commands.ts';
import { openHelp } from './open.ts';

const ROW =
  'flex h-10 cursor-pointer items-center gap-3 rounded-md px-3 text-sm select-none data-[selected=true]:bg-hover [&_svg]:text-ink-faint';

/** 1 when every word typed begins a word of the command, less when it is only inside one, 0 otherwise. */
export function score(value: string, typed: string, keywords: string[] = []): number {
  const words = foldAccents([value, ...keywords].join(' ')).split(/[^\p{L}\p{N}]+/u);
  let worst = 1;
  for (const query of foldAccents(typed).split(/\s+/).filter(Boolean)) {
    if (words.some((word) => word.startsWith(query))) continue;
    if (!words.some((word) => word.includes(query))) return 0;
    worst = 0.5;
  }
  return worst;
}

type PaletteProps = { open: boolean; onOpenChange: (open: boolean) => void; founder: boolean };

/** ⌘K: goes to any page, and does what the page on screen offers. Loaded on demand. */
export default function Palette({ open, onOpenChange, founder }: PaletteProps) {
  const router = useRouter();
  const offered = useRegisteredCommands();
  const groups = new Map<string, Command[]>();
  for (const command of offered) {
    const name = command.group ?? 'Cette page';
    groups.set(name, [...(groups.get(name) ?? []), command]);
  }
  const act = (action: () => void) => () => {
    onOpenChange(false);
    action();
  };
  return (
    <Panel open={open} onOpenChange={onOpenChange} shape="bare" title="Chercher ou agir">
      <Cmdk label="Commandes" filter={score} loop className="flex max-h-[inherit] flex-col">
        <div className="flex h-12 shrink-0 items-center gap-3 border-line border-b px-4">
          <Search aria-hidden size={16} className="shrink-0 text-ink-faint" />
          <Cmdk.Input
            autoFocus
            placeholder="Où aller, que faire&nbsp;?"
            className="h-full min-w-0 grow bg-transparent text-sm outline-none focus-visible:outline-none pointer-coarse:text-base"
          />
          <Kbd keys="Échap" />
        </div>
        <Cmdk.List className="max-h-[min(24rem,56vh)] overflow-y-auto overscroll-contain p-2">
          <Cmdk.Empty className="px-3 py-8 text-center text-ink-soft text-sm">
            Aucune commande ne porte ces mots.
          </Cmdk.Empty>
          {[...groups].map(([name, commands]) => (
            <Group key={name} heading={name}>
              {commands.map((command) => (
                <Cmdk.Item
                  key={command.id}
                  value={`${command.label} ${command.id}`}
                  keywords={command.keywords ?? []}
                  className={ROW}
                  onSelect={act(() => ('href' in command ? router.push(command.href) : command.run()))}
                >
                  <CornerDownLeft aria-hidden size={16} />
                  <span className="grow truncate">{command.label}</span>
                  {command.keys ? <Kbd keys={command.keys} /> : null}
                </Cmdk.Item>
              ))}
            </Group>
          ))}
          {navFor(founder).map((section) => (
            <Group key={section.label} heading={section.label}>
              {section.items.map(({ href, label, icon: Icon, key }) => (
                <Cmdk.Item
                  key={href}
                  value={label}
                  keywords={[section.label]}
                  className={ROW}
                  onSelect={act(() => router.push(href))}
                >
                  <Icon aria-hidden size={16} strokeWidth={1.75} />
                  <span className="grow">{label}</span>
                  {key ? <Kbd keys={`g ${key}`} /> : null}
                </Cmdk.Item>
              ))}
            </Group>
          ))}
          <Group heading="Aide">
            <Cmdk.Item value="Raccourcis clavier" className={ROW} onSelect={act(openHelp)}>
              <span className="grow">Raccourcis clavier</span>
              <Kbd keys="?" />
            </Cmdk.Item>
          </Group>
        </Cmdk.List>
      </Cmdk>
    </Panel>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Cmdk.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-ink-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Cmdk.Group>
  );
}
