import { expect, it } from 'vitest';
import type { MemberActor } from '#lib/core/actor.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { addPasskey, beginPasskey } from '#lib/identity/passkeys/add-passkey.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { revokeAllSessions } from '#lib/identity/sessions/revoke-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { grantConsent } from '#lib/oauth/grant-consent.ts';
import { createShare } from '#lib/storage/shares/create-share.ts';
import type { WebhookContext } from '#lib/webhooks/context.ts';
import { setEndpointEnabled } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { makeKey } from '#tests/factories/account.ts';
import { Authenticator } from '#tests/factories/authenticator.ts';
import { ISSUER, makeClient, pkce, REDIRECT } from '#tests/factories/oauth.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const PARTY = { id: 'atelier.exemple.fr', origin: 'https://atelier.exemple.fr' };
const EVENTS = ['memory.added'];

type Scene = Awaited<ReturnType<typeof webhookScene>>;
/** What somebody makes in the member's name: prepared, then made. */
type Prepare = (scene: Scene, ctx: WebhookContext<MemberActor>) => Promise<() => Promise<unknown>>;

const DOORS: [what: string, prepare: Prepare][] = [
  [
    'a key',
    async ({ account, member }, ctx) => {
      const wanted = { accountId: account.id, memberId: member.id, name: 'Clé', expiresInDays: 30 } as const;
      return () => createKey(ctx, wanted);
    },
  ],
  [
    'the successor of a key',
    async ({ account, member, clock }, ctx) => {
      const { key } = await makeKey(service, member, { now: clock.now() });
      return () => rotateKey(ctx, { accountId: account.id, keyId: key.id, overlapDays: 7 });
    },
  ],
  [
    'an application',
    async (_, ctx) => {
      const client = await makeClient(service);
      const asked = { client, redirectUri: REDIRECT, state: null, scopes: ['brain:read' as const] };
      const request = { ...asked, resource: '/api/mcp' as const, challenge: pkce().challenge };
      return () => grantConsent(ctx, { issuer: ISSUER, request });
    },
  ],
  [
    'a link',
    async ({ space }, ctx) =>
      () =>
        createShare(ctx, { target: { kind: 'space', spaceId: space.id }, days: 7 }),
  ],
  [
    'a webhook',
    async (_, ctx) => () => createEndpoint(ctx, { url: 'https://a.boutique.fr/', events: EVENTS }),
  ],
  [
    'a webhook that was stopped',
    async (_, ctx) => {
      const { id: endpointId } = await createEndpoint(ctx, { url: 'https://b.boutique.fr/', events: EVENTS });
      await setEndpointEnabled(ctx, { endpointId, enabled: false });
      return () => setEndpointEnabled(ctx, { endpointId, enabled: true });
    },
  ],
  [
    'a passkey',
    async (_, ctx) => {
      const deps = { secret: 'session-secret-of-the-tests-0123456789' };
      const browser = newBrowserToken();
      const { challenge, user } = await beginPasskey(ctx, { browser, party: PARTY }, deps);
      const asked = { challenge, rpId: PARTY.id, origin: PARTY.origin };
      const made = new Authenticator().make(asked, { userHandle: user.id });
      return () => addPasskey(ctx, { name: 'Téléphone', made, browser, party: PARTY }, deps);
    },
  ],
];

it.each(DOORS)(
  'who ends everything everywhere leaves no door that is being made in that moment: %s is ended too, or is not made',
  async (_, prepare) => {
    const scene = await webhookScene(service);
    const { account, actor, member, clock } = scene;
    const who = { accountId: account.id, memberId: member.id };
    const made = async () => {
      const { sessionId } = await openSession({ clock, kysely: service.kysely }, who);
      return prepare(scene, scene.context({ ...actor, sessionId }));
    };
    const [sooner, later] = [await made(), await made()];
    const end = () => revokeAllSessions(scene.ctx, { withCredentials: true });
    const left = async () => {
      const mine = { where: { memberId: member.id, revokedAt: null } };
      const byMe = { accountId: account.id, createdById: member.id };
      return {
        keys: await service.db.developerKey.count(mine),
        applications: await service.db.oAuthGrant.count(mine),
        links: await service.db.shareLink.count({ where: { ...byMe, withdrawnAt: null } }),
        webhooks: await service.db.webhookEndpoint.count({ where: { ...byMe, disabledAt: null } }),
        passkeys: await service.db.passkey.count({ where: { personId: member.personId ?? '' } }),
      };
    };
    const nothing = { keys: 0, applications: 0, links: 0, webhooks: 0, passkeys: 0 };
    expect([await oneBeforeAnother(service, sooner, end), await left()]).toEqual([['done', 'done'], nothing]);
    const { sessionId } = await openSession({ clock, kysely: service.kysely }, who);
    const last = await prepare(scene, scene.context({ ...actor, sessionId }));
    expect([await oneBeforeAnother(service, end, last), await left()]).toEqual([
      ['done', 'forbidden'],
      nothing,
    ]);
    expect(['forbidden', 'unauthenticated']).toContain(await later().catch(({ code }) => code));
  },
);
