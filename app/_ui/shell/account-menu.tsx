'use client';
import { MenuButton } from '../action/menu.tsx';
import { lazyPart } from '../lazy-part.ts';
import type { Mine } from './account-list.tsx';

const load = () => import('./account-list.tsx');
const AccountList = lazyPart(load, null, ({ onOpenChange }) => onOpenChange(false));

/** The button of the member's menu, with their initials. The list is loaded when the pointer or the focus reaches the button. */
export function AccountMenu({ initials, ...mine }: Mine & { initials: string }) {
  return (
    <MenuButton
      label={`${initials}, mon menu`}
      tip="Mon menu"
      className="touch grid size-8 shrink-0 place-items-center rounded-full bg-hover font-medium text-ink-soft text-xs hover:text-ink"
      load={load}
      list={(at) => <AccountList {...at} {...mine} />}
    >
      {initials}
    </MenuButton>
  );
}
