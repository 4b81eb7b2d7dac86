import type { PillarRole } from '../templates.ts';
import { ROLES, type SegmentHeader } from './index/format.ts';
import type { ScopeRow } from './index/statements.ts';
import type { SearchStore } from './index/store.ts';

type IsIn = (spaceId: string, role: PillarRole) => boolean;

/** Which Spaces and pillars are searched. */
export function inScope(
  { spaces }: ScopeRow,
  wanted: { spaceId?: string | undefined; roles?: readonly PillarRole[] | undefined },
): IsIn {
  const { spaceId, roles } = wanted;
  const ids = new Set(spaces.map(([id]) => id).filter((id) => spaceId === undefined || id === spaceId));
  return (space, role) => ids.has(space) && (roles === undefined || roles.includes(role));
}

/** What of a segment is not searched: 1 for each Memory that is gone or out of the scope, null when none is; and how many are left. */
type InScope = { excluded: Uint8Array | null; live: number };

/** A segment never changes: what of it is out of a scope is worked out once for each, and those gone are taken out of it each time. */
export function searchedOf(
  segment: { id: number; header: SegmentHeader },
  isIn: IsIn,
  gone: readonly number[],
  store: SearchStore,
): InScope {
  const { id, header } = segment;
  const allowed = header.spaces.map((space) => ROLES.map((role) => isIn(space, role)));
  const isWhole = allowed.every((roles) => roles.every((one) => one));
  const key = `scope:${id}:${allowed.map((roles) => roles.map(Number).join('')).join()}`;
  const all: InScope = isWhole
    ? { excluded: null, live: header.count }
    : store.once(key, header.count + key.length * 2, () => outOf(header, allowed));
  if (gone.length === 0) return all;
  const excluded = all.excluded ? all.excluded.slice() : new Uint8Array(header.count);
  let { live } = all;
  for (const number of gone) {
    if (excluded[number] === 1) continue;
    excluded[number] = 1;
    live--;
  }
  return { excluded, live };
}

function outOf({ count, space, role }: SegmentHeader, allowed: readonly (readonly boolean[])[]): InScope {
  const excluded = new Uint8Array(count);
  let live = count;
  for (let i = 0; i < count; i++) {
    if (allowed[space[i] as number]?.[role[i] as number]) continue;
    excluded[i] = 1;
    live--;
  }
  return { excluded, live };
}
