import type { ReactNode } from 'react';
import { ErrorState, NoPermission } from '#app/_ui/state/states.tsx';
import type { Permission } from '#lib/core/actor.ts';
import { type PageMember, requireMember, requirePermission } from '#lib/http/sessions/page-member.ts';

type PageProps = {
  params: Promise<Record<string, string>>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

type MemberPageInput = Omit<PageMember, 'waitSeconds'> & {
  params: Record<string, string>;
  /** The query of the address; of a repeated parameter, the first value. */
  query: Record<string, string | undefined>;
  /** The server's time at render, for `<Time now>`. */
  now: Date;
};

/** A required permission, with what it allows as a verb, for members who lack it: « consulter l’audit ». */
type Guard = { permission?: undefined } | { permission: Permission; action: string };

/**
 * A page of the cockpit, after its checks: a signed-in member (else the sign-in page, which leads back here), no more pages than a minute
 * allows, and the permission (else a refusal that names who can grant it).
 *
 * ```tsx
 * export default memberPage({ permission: 'audit.read', action: 'consulter l’audit' }, async ({ ctx, query }) => …);
 * ```
 */
export function memberPage(guard: Guard, render: (input: MemberPageInput) => ReactNode | Promise<ReactNode>) {
  return async (props: PageProps): Promise<ReactNode> => {
    const { waitSeconds } = await requireMember();
    if (waitSeconds !== undefined) return <TooManyRequests seconds={waitSeconds} />;
    const member = guard.permission
      ? await requirePermission(guard.permission)
      : { ...(await requireMember()), allowed: true as const };
    if (!member.allowed) {
      const { founders, founderOnly } = member;
      const action = guard.permission ? guard.action : '';
      return <NoPermission heading="h1" action={action} founders={founders} founderOnly={founderOnly} />;
    }
    const query: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(await props.searchParams))
      query[name] = Array.isArray(value) ? value[0] : value;
    return render({
      ctx: member.ctx,
      profile: member.profile,
      params: await props.params,
      query,
      now: member.ctx.clock.now(),
    });
  };
}

function TooManyRequests({ seconds }: { seconds: number }) {
  return (
    <ErrorState heading="h1" title="Trop de pages demandées en une minute">
      Rien n’a été perdu. Attendez {seconds}&nbsp;s, puis rechargez la page.
    </ErrorState>
  );
}
