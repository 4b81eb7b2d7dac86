import type { Actor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { checkPostAddress, type SafePost, safePost } from '#lib/core/net/safe-post.ts';
import { splitSecrets } from '#lib/studio/renders/render-signature.ts';
import type { DisabledNotice, WebhookContext, WebhookPorts } from '#lib/webhooks/context.ts';
import { SEND_MS } from '#lib/webhooks/limits.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { sendAll } from '../runtime/mailer.ts';

// The chaos run replaces the HTTP client before the server loads (tests/chaos/route-gateway.ts): its subscriber has no public address.
const shared = globalThis as { atelierWebhooks?: WebhookPorts; atelierWebhookPost?: SafePost };

/** The process's ports of webhooks, made at first use. */
export function webhookPorts(): WebhookPorts {
  shared.atelierWebhooks ??= {
    post: shared.atelierWebhookPost ?? safePost,
    checkAddress: (url) => checkPostAddress(url, { timeoutMs: SEND_MS }),
    sealer: sealer([...splitSecrets(env().SERVICE_SEALING_SECRET), env().SERVICE_SESSION_SECRET]),
    chance: Math.random,
    mail: mailDisabled,
  };
  return shared.atelierWebhooks;
}

/** A context with what webhooks need of the outside. */
export function withWebhooks<A extends Actor>(ctx: Context<A>): WebhookContext<A> {
  return { ...ctx, webhooks: webhookPorts() };
}

const REASONS: Record<string, string> = {
  gone: 'Elle a répondu 410\u00a0: elle ne veut plus rien recevoir.',
  failing: 'Elle n’a accepté aucun événement depuis un jour.',
  backlog: 'Elle n’accepte plus rien, et trop d’événements attendaient.',
  secret: 'Son secret ne peut plus être lu, parce que la clé du service a changé\u00a0: remplacez-le.',
};

async function mailDisabled({ host, reason, emails, endpointId }: DisabledNotice): Promise<void> {
  const page = `${env().SERVICE_PUBLIC_URL ?? ''}/developpeurs/evenements/${endpointId}`;
  await sendAll(
    emails.map((to) => ({
      to,
      subject: `Atelier\u00a0: les envois à ${host} sont arrêtés`,
      text: `L’adresse ${host}, abonnée aux événements de votre compte, a été désactivée. ${REASONS[reason] ?? ''}\nLes événements qui l’attendaient sont gardés quatorze jours\u00a0: reprenez les envois, puis renvoyez ceux qui ont échoué\u00a0: ${page}\n`,
    })),
  );
}
