import { ERASED_NAME } from '#lib/identity/members/erase-member.ts';
import type { MemberName } from '#lib/identity/members/list-member-names.ts';

/**
 * The members to filter a page by, present ones first; a removed one is marked, and erased ones, who share one name, are left out. The one that the
 * address asks for is always among them, so that the filter can be removed.
 */
export function memberChoices(
  members: readonly MemberName[],
  asked: string | undefined,
): { id: string; name: string }[] {
  const choices = [
    ...members.filter(({ isRemoved }) => !isRemoved).map(({ id, name }) => ({ id, name })),
    ...members
      .filter(({ isRemoved, name }) => isRemoved && name !== ERASED_NAME)
      .map(({ id, name }) => ({ id, name: `${name} (membre retiré)` })),
  ];
  if (asked === undefined || choices.some(({ id }) => id === asked)) return choices;
  return [...choices, { id: asked, name: 'Un membre qui n’est plus là' }];
}
