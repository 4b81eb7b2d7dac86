import { Check, CircleAlert } from 'lucide';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { AMOUNT_PATTERN } from '#app/_cockpit/amount.ts';
import { editableUsd } from '#app/_cockpit/money.ts';
import { SpaceChoice } from '#app/_cockpit/spaces/space-choice.tsx';
import { VerifyFirst } from '#app/_cockpit/verification/verify-first.tsx';
import { Button } from '#app/_ui/action/button.tsx';
import { Facts } from '#app/_ui/data/card.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { ofName } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { hasPermission, isWritingScope, SCOPE_PERMISSIONS, type Scope } from '#lib/core/actor.ts';
import { env } from '#lib/core/env.ts';
import { shownAs } from '#lib/core/input/shown-as.ts';
import { isRecentlyVerified } from '#lib/core/recent-verification.ts';
import { documentReader } from '#lib/http/middleware/with-oauth.ts';
import { APPLICATION_FAULT } from '#lib/http/responses/oauth-page.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { PAGE_HEADER } from '#lib/http/security/return-path.ts';
import { requireMember } from '#lib/http/sessions/page-member.ts';
import { DEFAULT_ALLOWANCE_MICROS } from '#lib/ledger/allowances.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { checkAuthorization } from '#lib/oauth/check-authorization.ts';
import { ACCESS_LIFETIME_MS, REFRESH_LIFETIME_MS } from '#lib/oauth/protocol/config.ts';
import { signConsentTicket } from '#lib/oauth/protocol/consent-ticket.ts';
import { redirectTarget } from '#lib/oauth/protocol/redirect-uri.ts';
import { readApplicationCap } from '#lib/oauth/read-application-cap.ts';
import { Frame } from '../../_frame.tsx';

export const metadata: Metadata = { title: 'Connecter une application' };

const REFRESH_DAYS = REFRESH_LIFETIME_MS / 86_400_000;
const ACCESS_HOURS = ACCESS_LIFETIME_MS / 3_600_000;

/** Asks a member whether an application may act for them: who asks, what for, and where the answer goes. */
export default async function ConsentPage() {
  const { ctx, profile } = await requireMember();
  const sent = await headers();
  const query = URL.parse(sent.get(PAGE_HEADER) ?? '', 'http://atelier.invalid')?.search.slice(1) ?? '';
  const verdict = await checkAuthorization(ctx, {
    params: new URLSearchParams(query),
    issuer: pageOrigin(sent),
    reader: documentReader(sent),
  });
  if (verdict.kind === 'redirect') redirect(verdict.location);
  if (verdict.kind === 'page')
    return (
      <Frame>
        <h1 className="font-semibold text-xl tracking-tight">Cette demande de connexion est refusée</h1>
        <Notice tone="fail">{verdict.isApplicationFault ? APPLICATION_FAULT : verdict.message}</Notice>
        <p className="text-ink-soft text-sm">Rien n’a été autorisé. Vous pouvez fermer cette page.</p>
        {verdict.isApplicationFault ? (
          <p className="text-ink-soft text-sm">À lui transmettre&nbsp;: {verdict.message}</p>
        ) : null}
      </Frame>
    );

  const { client, redirectUri, resource, scopes } = verdict.request;
  const target = redirectTarget(redirectUri);
  const { sessionId, memberId } = ctx.actor;
  const ticket = signConsentTicket(
    { sessionId, memberId, query },
    ctx.clock.now(),
    env().SERVICE_SESSION_SECRET,
  );
  // Proving who is there draws the page again: what was chosen before would be lost, and « all » be accepted unseen.
  const asksProof = scopes.some(isWritingScope) && !isRecentlyVerified(ctx);
  const choosesSpaces = !asksProof && scopes.some((scope) => scope.startsWith('brain:'));
  const choosesCap = !asksProof && scopes.includes('studio:generate');
  // Of one that is connected, what stands: accepted as it is, 5 $US would take the place of what somebody has lowered.
  const [spaces, cap] = await Promise.all([
    choosesSpaces ? listSpaceNames(ctx) : [],
    choosesCap ? readApplicationCap(ctx.kysely, ctx, { clientId: client.id }) : null,
  ]);
  const asksStudio = scopes.some((scope) => scope.startsWith('studio:'));
  const isWithoutEffect = (scope: Scope) => {
    const permission = SCOPE_PERMISSIONS[scope];
    return permission !== undefined && !hasPermission(ctx.actor, permission);
  };
  return (
    <Frame>
      <div className="space-y-2">
        <h1 className="wrap-anywhere font-semibold text-xl tracking-tight">
          «&nbsp;{client.name}&nbsp;» veut accéder {asksStudio ? 'au compte' : 'au Brain'}{' '}
          {ofName(profile.accountName)}
        </h1>
        <p className="text-ink-soft text-sm">
          {client.provenHost
            ? `Cette application se présente depuis ${client.provenHost}. Son nom est celui qu’elle se donne.`
            : 'Ce nom est celui que l’application se donne\u00a0: Atelier ne l’a pas vérifié.'}
        </p>
      </div>
      <section aria-labelledby="droits" className="space-y-3">
        <h2 id="droits" className="font-medium text-base">
          Elle pourra
        </h2>
        <ul role="list" className="space-y-3">
          {scopes.map((scope) => (
            <li key={scope} className="flex gap-3">
              {isWithoutEffect(scope) ? (
                <Icon of={CircleAlert} size={18} className="mt-0.5 shrink-0 text-warn" />
              ) : (
                <Icon of={Check} size={18} className="mt-0.5 shrink-0 text-accent-ink" />
              )}
              <div className="min-w-0">
                <p className="font-medium text-sm">{SCOPE_WORDS[scope].label}</p>
                <p className="text-ink-soft text-sm">{SCOPE_WORDS[scope].hint}</p>
                {isWithoutEffect(scope) ? (
                  <p className="mt-1 text-sm">
                    Vous n’avez pas ce droit aujourd’hui&nbsp;: ses demandes seront refusées tant qu’un
                    fondateur ne vous l’accorde pas.
                  </p>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      </section>
      <Facts
        items={[
          { label: 'Compte', value: profile.accountName },
          { label: 'En votre nom', value: `${profile.name} (${profile.email})` },
          { label: 'Par', value: resource === '/api/mcp' ? 'le serveur MCP' : 'l’API de contexte' },
          {
            label: 'La réponse part vers',
            value: target.isThisMachine ? `${target.label} (une application de cet appareil)` : target.label,
          },
          { label: 'Durée', value: `${REFRESH_DAYS} jours après le dernier renouvellement` },
        ]}
      />
      <p className="text-ink-soft text-sm">
        N’acceptez que si vous venez de lancer cette connexion et que vous reconnaissez{' '}
        <strong className="wrap-anywhere font-medium text-ink">{target.label}</strong>. L’accès se retire à
        tout moment dans Applications, avec effet à la demande suivante. Un jeton d’accès dure {ACCESS_HOURS}{' '}
        heure.
      </p>
      {asksProof ? (
        <Notice tone="info">
          Une application qui peut écrire ou dépenser demande une preuve de moins de dix minutes que c’est
          bien vous.
        </Notice>
      ) : null}
      <form method="post" action="/api/oauth/consent" className="flex flex-wrap justify-end gap-3">
        {choosesCap ? (
          <div className="basis-full space-y-1.5 text-sm">
            <label htmlFor="plafond" className="block font-medium">
              Plafond par mois, en $US
            </label>
            <Input
              id="plafond"
              aria-describedby="plafond-aide"
              name="monthlyCapUsd"
              mono
              inputMode="decimal"
              required
              pattern={AMOUNT_PATTERN}
              title="Un montant en dollars, par exemple 5 ou 12,50"
              defaultValue={editableUsd(cap ?? DEFAULT_ALLOWANCE_MICROS)}
            />
            {cap === null ? null : <input type="hidden" name="shown" value={shownAs(cap)} />}
            <p id="plafond-aide" className="text-ink-soft">
              Ce qu’elle peut débiter de votre crédit en un mois UTC, toutes ses connexions comprises. Il se
              change dans Applications&nbsp;; 0 ne laisse rien passer.
            </p>
          </div>
        ) : null}
        {choosesSpaces ? (
          <div className="basis-full">
            <SpaceChoice
              spaces={spaces}
              given={null}
              writes={scopes.includes('brain:write')}
              all="Tous ceux que vous ouvrez vous-même, et ceux à venir. Le choix se change dans Applications."
            />
          </div>
        ) : null}
        <input type="hidden" name="request" value={query} />
        <input type="hidden" name="ticket" value={ticket} />
        {/* Refusing needs no cap: what stands in its field keeps nobody here. */}
        <Button type="submit" name="decision" value="refuse" variant="secondary" formNoValidate>
          Refuser
        </Button>
        {asksProof ? (
          <VerifyFirst />
        ) : (
          <Button type="submit" name="decision" value="accept" variant="primary">
            Accepter
          </Button>
        )}
      </form>
    </Frame>
  );
}
