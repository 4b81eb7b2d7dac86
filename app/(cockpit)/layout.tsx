import type { ReactNode } from 'react';
import { signOut } from '#app/_cockpit/sign-out.ts';
import { switchAccount } from '#app/_cockpit/switch-account.ts';
import { Verification } from '#app/_cockpit/verification/verification.tsx';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Shell } from '#app/_ui/shell/shell.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { getShell } from '#lib/brain/queries/get-shell.ts';
import { requireMember } from '#lib/http/sessions/page-member.ts';

/** The frame around the cockpit's pages, for a signed-in member. It protects no page: each page checks the session itself (`memberPage`). */
export default async function CockpitLayout({ children }: { children: ReactNode }) {
  const member = await requireMember();
  return (
    <Shell {...(await getShell(member.ctx))} signOut={signOut} switchAccount={switchAccount}>
      {member.ctx.actor.closed ? (
        <Notice
          tone="warn"
          role="status"
          className="mb-6"
          action={
            member.ctx.actor.role === 'FOUNDER' ? (
              <LinkButton size="sm" href="/equipe/compte">
                Rouvrir ou exporter
              </LinkButton>
            ) : undefined
          }
        >
          Ce compte est fermé&nbsp;: il se lit encore, plus rien n’y change, et tout sera effacé 30&nbsp;jours
          après sa fermeture.
        </Notice>
      ) : null}
      <Verification>{children}</Verification>
    </Shell>
  );
}
