import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { signOut } from '#app/_cockpit/sign-out.ts';
import { switchAccount } from '#app/_cockpit/switch-account.ts';
import { Shell } from '#app/_ui/shell/shell.tsx';
import { THEME_COOKIE, themeFrom } from '#app/_ui/theme.ts';
import { getShell } from '#lib/brain/queries/get-shell.ts';
import { requireMember } from '#lib/http/sessions/page-member.ts';

/** The shell around the pages of a signed-in member. Each page checks again for itself (memberPage). */
export default async function CockpitLayout({ children }: { children: ReactNode }) {
  const member = await requireMember();
  const theme = themeFrom((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <Shell {...(await getShell(member.ctx))} theme={theme} signOut={signOut} switchAccount={switchAccount}>
      {children}
    </Shell>
  );
}
