import type { Metadata } from 'next';
import { cookies, headers } from 'next/headers';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { PERMISSION_WORDS } from '#app/_cockpit/permission-words.ts';
import { Badge } from '#app/_ui/data/badge.tsx';
import { Facts, Section } from '#app/_ui/data/card.tsx';
import { ofName } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { THEME_COOKIE, themeFrom } from '#app/_ui/theme.ts';
import { GRANTABLE_PERMISSIONS } from '#lib/core/actor.ts';
import { passkeySite } from '#lib/http/security/passkey-site.ts';
import { listPasskeys } from '#lib/identity/passkeys/list-passkeys.ts';
import { describeBrowser } from '#lib/identity/sessions/describe-browser.ts';
import { listSessions, SESSIONS_SHOWN } from '#lib/identity/sessions/list-sessions.ts';
import { ProfileForm, SessionEnd, SignOutEverywhere, ThemeChoice } from './controls.tsx';
import { AddPasskey, PasskeyEnd } from './passkeys.tsx';

export const metadata: Metadata = { title: 'Mon compte' };

/** The member's profile, display settings and sessions. */
export default memberPage({}, async ({ ctx, profile, now }) => {
  const [sessions, passkeys, sent] = await Promise.all([listSessions(ctx), listPasskeys(ctx), headers()]);
  const site = passkeySite(sent);
  const theme = themeFrom((await cookies()).get(THEME_COOKIE)?.value);
  const isFounder = ctx.actor.role === 'FOUNDER';
  const rights = isFounder
    ? 'Tous les droits'
    : GRANTABLE_PERMISSIONS.filter((one) => ctx.actor.permissions.includes(one))
        .map((one) => PERMISSION_WORDS[one].label)
        .join(', ') || 'Lecture seule';
  return (
    <>
      <PageHeader title="Mon compte" description={`Membre ${ofName(profile.accountName)}.`} />
      <div className="grid max-w-4xl gap-10">
        <Section title="Profil" description="Votre nom, tel que les autres membres le voient.">
          <ProfileForm name={profile.name} />
          <Facts
            className="mt-4 max-w-xl"
            items={[
              { label: 'Adresse e-mail', value: profile.email },
              { label: 'Rôle', value: isFounder ? 'Fondateur' : 'Membre' },
              { label: 'Droits', value: rights },
            ]}
          />
        </Section>
        <Section title="Apparence" description="Dans ce navigateur.">
          <ThemeChoice theme={theme} />
        </Section>
        <Section
          title="Clés d’accès"
          description="Votre téléphone, votre ordinateur ou une clé de sécurité vous connecte alors sans code, dans tous vos comptes."
          {...(site
            ? { action: <AddPasskey suggestion={describeBrowser(sent.get('user-agent') ?? '')} /> }
            : {})}
        >
          {site ? null : (
            <p className="mb-3 text-ink-soft">
              Les navigateurs n’en acceptent qu’à un nom de domaine en https, ou à localhost sur cette
              machine&nbsp;: cette adresse n’en est pas une.
            </p>
          )}
          {passkeys.length === 0 ? (
            <p className="text-ink-faint">Aucune clé d’accès.</p>
          ) : (
            <ul role="list" className="divide-y divide-line border-line border-y">
              {passkeys.map((passkey) => (
                <li key={passkey.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
                  <div className="min-w-0 grow basis-52">
                    <p className="wrap-anywhere font-medium">{passkey.name}</p>
                    <p className="text-ink-faint text-xs">
                      ajoutée <Time at={passkey.createdAt} now={now} /> ·{' '}
                      {passkey.lastUsedAt ? (
                        <>
                          utilisée <Time at={passkey.lastUsedAt} now={now} />
                        </>
                      ) : (
                        'jamais utilisée'
                      )}
                    </p>
                  </div>
                  <PasskeyEnd passkeyId={passkey.id} name={passkey.name} />
                </li>
              ))}
            </ul>
          )}
        </Section>
        <Section
          title="Sessions ouvertes"
          description="Les navigateurs où vous êtes connecté. Une session se ferme d’elle-même après trente jours sans visite."
          action={<SignOutEverywhere />}
        >
          <ul role="list" className="divide-y divide-line border-line border-y">
            {sessions.slice(0, SESSIONS_SHOWN).map((session) => (
              <li key={session.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
                <div className="min-w-0 grow basis-52">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {describeBrowser(session.userAgent)}
                    {session.isCurrent ? <Badge tone="ok">Cette session</Badge> : null}
                  </p>
                  <p className="wrap-anywhere text-ink-faint text-xs">
                    {session.network ? `${session.network} · ` : ''}
                    vue <Time at={session.lastSeenAt} now={now} /> · ouverte{' '}
                    <Time at={session.createdAt} now={now} />
                  </p>
                </div>
                {session.isCurrent ? null : (
                  <SessionEnd sessionId={session.id} browser={describeBrowser(session.userAgent)} />
                )}
              </li>
            ))}
          </ul>
          {sessions.length > SESSIONS_SHOWN ? (
            <p className="mt-3 text-ink-soft text-sm">
              Les {SESSIONS_SHOWN} vues en dernier, parmi d’autres. «&nbsp;Se déconnecter partout&nbsp;» les
              ferme toutes.
            </p>
          ) : null}
        </Section>
      </div>
    </>
  );
});
