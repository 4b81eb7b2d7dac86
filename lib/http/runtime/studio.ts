import type { Actor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { type Env, env } from '#lib/core/env.ts';
import { formatUsd, microsFromUsd } from '#lib/core/money.ts';
import { safeFetch } from '#lib/core/net/safe-fetch.ts';
import { listFounderAddresses } from '#lib/identity/members/list-founder-addresses.ts';
import type { SpendAlert } from '#lib/ledger/spend-alert.ts';
import { createEmbeddedRenderRunner } from '#lib/local/render/runner.ts';
import type { Budgets } from '#lib/providers/budgets.ts';
import { createProviders } from '#lib/providers/create-providers.ts';
import { RECORDED_DEFAULT_VOICE_ID } from '#lib/providers/elevenlabs/recorded-answers.ts';
import type { RecordedOptions } from '#lib/providers/fixtures/recorded-transport.ts';
import type { Providers } from '#lib/providers/ports.ts';
import { vercelBlobStore } from '#lib/storage/file-store.ts';
import type { StudioContext, StudioPorts } from '#lib/studio/context.ts';
import { serviceOrigin } from '../security/origin.ts';
import { connection } from './connection.ts';
import { mailer } from './mailer.ts';

const shared = globalThis as { atelierStudio?: StudioPorts };

/** The outside services as configured; `fixtures` makes all of them recorded. */
export function configuredProviders(fixtures?: RecordedOptions, budgets?: Partial<Budgets>): Providers {
  const config = env();
  const providers = createProviders({
    live: fixtures ? new Set() : config.liveProviders,
    clock: systemClock,
    secrets: {
      gatewayApiKey: config.AI_GATEWAY_API_KEY,
      elevenLabsApiKey: config.ELEVENLABS_API_KEY,
      lipsyncApiKey: config.LIPSYNC_API_KEY,
      renderDispatchToken: config.SERVICE_RENDER_DISPATCH_TOKEN,
    },
    renderRepository: config.SERVICE_RENDER_REPOSITORY,
    ...(fixtures ? { fixtures } : {}),
    ...(budgets ? { budgets } : {}),
  });
  return usesEmbeddedRunner(config) ? { ...providers, render: embeddedRunner(config) } : providers;
}

/** Outside production a render that is not live is drawn here, by a process of its own. */
function usesEmbeddedRunner(config: Env): boolean {
  return !config.isProduction && !config.liveProviders.has('github') && config.CALLBACK_SECRET !== undefined;
}

function embeddedRunner(config: Env) {
  return createEmbeddedRenderRunner({
    dataDir: config.SERVICE_DATA_DIR,
    callbackSecret: config.CALLBACK_SECRET ?? '',
  });
}

function createPorts(): StudioPorts {
  const config = env();
  const token = config.BLOB_READ_WRITE_TOKEN ?? null;
  const isLive = config.liveProviders.has('github');
  return {
    providers: configuredProviders(),
    store: token ? vercelBlobStore({ token }) : null,
    fetch: safeFetch,
    config: {
      publicUrl: config.SERVICE_PUBLIC_URL ?? null,
      spendAlertMicros: config.SERVICE_SPEND_ALERT_USD
        ? microsFromUsd(config.SERVICE_SPEND_ALERT_USD.replace(',', '.'))
        : 0n,
      rendersConfigured: isLive
        ? Boolean(config.SERVICE_RENDER_REPOSITORY && config.SERVICE_RENDER_DISPATCH_TOKEN)
        : usesEmbeddedRunner(config),
      storeToken: token,
      storeApiUrl: config.VERCEL_BLOB_API_URL ?? null,
      defaultVoiceId:
        config.ELEVENLABS_VOICE_ID ??
        (config.liveProviders.has('elevenlabs') ? null : RECORDED_DEFAULT_VOICE_ID),
    },
    mailSpendAlert,
  };
}

/** The process's ports to the outside, made at first use. */
export function studioPorts(): StudioPorts {
  shared.atelierStudio ??= createPorts();
  return shared.atelierStudio;
}

/**
 * A context with the studio's ports; without a configured origin, the runner calls back where the request was sent. A scheduled
 * job has no request, and needs no origin.
 */
export function withStudio<A extends Actor>(ctx: Context<A>, request?: Request): StudioContext<A> {
  const ports = studioPorts();
  const requestOrigin = request ? serviceOrigin(request) : (env().SERVICE_PUBLIC_URL ?? 'http://localhost');
  return { ...ctx, studio: { ...ports, config: { ...ports.config, requestOrigin } } };
}

/** Every founder of the account is told; throws when nobody could be. */
async function mailSpendAlert(alert: SpendAlert): Promise<void> {
  const founders = await listFounderAddresses(connection(), { accountId: alert.accountId });
  const spent = formatUsd(alert.spentMicros);
  const reached = formatUsd(alert.thresholdMicros * BigInt(alert.multiple));
  for (const email of founders)
    await mailer().send({
      to: email,
      subject: `Atelier\u00a0: ${spent} dépensés en ${alert.month}`,
      text: `Les générations de votre compte ont coûté ${spent} depuis le début du mois (${alert.month}, heure UTC).\nLe seuil de ${reached} est franchi. Rien n’est bloqué\u00a0: cet avis est envoyé une fois par seuil et par mois.\n`,
    });
}
