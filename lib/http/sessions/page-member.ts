import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { FOUNDER_ONLY, hasPermission, type MemberActor, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { rateRefusal } from '#lib/identity/rate/rate-limit.ts';
import type { MemberProfile } from '#lib/identity/sessions/authenticate-session.ts';
import { createContext } from '../runtime/context.ts';
import { PAGE_HEADER, signInPath } from '../security/return-path.ts';
import { countedMember } from './member-session.ts';

export type PageMember = {
  ctx: Context<MemberActor>;
  profile: MemberProfile;
  /** Set when this page is one request too many: how long to wait. `memberPage` then draws that, and reads nothing. */
  waitSeconds: number | undefined;
};

/** The signed-in member of this request, or null. Read once per request, however many components ask. */
export const currentMember = cache(async (): Promise<PageMember | null> => {
  const store = await cookies();
  const member = await countedMember((name) => store.get(name)?.value, { isWrite: false });
  if (!member) return null;
  const { actor, profile, rate } = member;
  const waitSeconds = rateRefusal(rate, false)?.options.retryAfterSeconds;
  return { ctx: createContext(actor), profile, waitSeconds };
});

/**
 * The signed-in member, for a page or a layout; anyone else is sent to the sign-in page and comes back here afterwards.
 * Every page asks for itself: a layout is not rendered again when one moves from page to page.
 */
export async function requireMember(): Promise<PageMember> {
  const member = await currentMember();
  if (!member) redirect(signInPath((await headers()).get(PAGE_HEADER)));
  return member;
}

type PermissionVerdict =
  | (PageMember & { allowed: true })
  | (PageMember & { allowed: false; founders: string[]; founderOnly: boolean });

/**
 * The signed-in member, and whether they hold the permission; when not, who can grant it. Pages use `memberPage`
 * (app/_cockpit/member-page.tsx), which draws that answer.
 */
export async function requirePermission(permission: Permission): Promise<PermissionVerdict> {
  const member = await requireMember();
  if (hasPermission(member.ctx.actor, permission)) return { ...member, allowed: true };
  const founders = await listFounderNames(member.ctx);
  return { ...member, allowed: false, founders, founderOnly: FOUNDER_ONLY.has(permission) };
}
