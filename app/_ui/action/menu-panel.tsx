'use client';
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide';
import Link from 'next/link';
import { type ReactNode, type RefObject, useLayoutEffect } from 'react';
import { leaveFocus } from '#app/_cockpit/focus/focus-beside.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { cx } from '../cx.ts';
import { Kbd } from '../text/kbd.tsx';
import { copyText } from './copy-text.ts';
import type { MenuItem } from './menu-item.ts';

const ROW =
  'flex min-h-9 pointer-coarse:min-h-11 w-full items-center gap-2.5 rounded-xs px-2.5 py-1.5 text-left text-sm select-none focus-visible:-outline-offset-2 data-disabled:opacity-55 data-highlighted:bg-hover';

/** The anchor, the state and the label of a menu's list. */
export type MenuListProps = {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  align: 'start' | 'end';
};

type MenuPanelProps = MenuListProps & {
  items: MenuItem[];
  /** Shown above the items. */
  header?: ReactNode;
};

/** The list of a `Menu`; loaded on demand. */
export default function MenuPanel({
  anchor,
  open,
  onOpenChange,
  items,
  header,
  label,
  align,
}: MenuPanelProps) {
  // The chosen action may remove the row that holds the menu's button, which would otherwise get the focus back.
  useLayoutEffect(() => {
    const button = anchor.current;
    return () => {
      if (button) leaveFocus(button);
    };
  }, [anchor]);
  return (
    <Base.Root
      open={open}
      modal={false}
      onOpenChange={(next, details) => {
        // The button itself toggles the menu: if the menu also closed here, the button would open it again.
        const target = details.event?.target;
        if (!next && target instanceof Node && anchor.current?.contains(target)) return;
        onOpenChange(next);
      }}
    >
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup
            aria-label={label}
            finalFocus={anchor}
            className="max-h-(--available-height) max-w-(--available-width) min-w-52 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {header ? <div className="border-line border-b px-2.5 pt-1.5 pb-2.5 mb-1">{header}</div> : null}
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a menu's items have no identity beyond their place
              <Row key={index} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Row({ item }: { item: MenuItem }) {
  if ('separator' in item) return <Base.Separator className="my-1 border-line border-t" />;
  if ('heading' in item)
    return (
      <p className="px-2.5 pt-2 pb-1 text-ink-faint text-xs" role="presentation">
        {item.heading}
      </p>
    );
  if ('options' in item)
    return (
      <Base.RadioGroup value={item.value} onValueChange={item.onChange} aria-label={item.label}>
        {item.options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick={false} className={ROW}>
            <span className="grid size-4 place-items-center">
              <Base.RadioItemIndicator>
                <Icon of={Check} size={16} />
              </Base.RadioItemIndicator>
            </span>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    );
  const icon = item.icon;
  const className = cx(ROW, item.tone === 'danger' && 'text-fail');
  const content = (
    <>
      {icon ? <Icon of={icon} size={16} strokeWidth={1.75} className="shrink-0" /> : null}
      <span className="grow">{item.label}</span>
      {item.keys ? <Kbd keys={item.keys} /> : null}
    </>
  );
  if (item.href)
    return (
      <Base.LinkItem className={className} render={<Link href={item.href} />} closeOnClick>
        {content}
      </Base.LinkItem>
    );
  const { copies, onSelect } = item;
  return (
    <Base.Item
      className={className}
      disabled={item.disabled ?? false}
      onClick={copies ? () => void copyText(copies.text, copies.done) : onSelect}
    >
      {content}
    </Base.Item>
  );
}
