import { GRANTABLE_PERMISSIONS } from '#lib/core/actor.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';

type Edited = {
  name: string;
  role: string;
  permissions: readonly string[];
  /** null: all, as a founder has whatever was given. */
  spaces: SpaceRights | null;
};

/** A member's editable fields as one text: equal texts mean that none has changed. */
export function editedState({ name, role, permissions, spaces }: Edited): string {
  const given = role === 'FOUNDER' || spaces === null ? null : Object.entries(spaces);
  return JSON.stringify([
    name,
    role,
    GRANTABLE_PERMISSIONS.filter((one) => permissions.includes(one)),
    given?.sort(([a], [b]) => (a < b ? -1 : 1)) ?? null,
  ]);
}
