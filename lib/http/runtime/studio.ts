import type { Actor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { type Env, env, providerKeys } from '#lib/core/env.ts';
import { formatUsd, microsFromUsd } from '#lib/core/money.ts';
import { safeFetch } from '#lib/core/net/safe-fetch.ts';
import { listFounderAddresses, listOperatorAddresses } from '#lib/identity/members/list-founder-addresses.ts';
import { spendAlertMail } from '#lib/ledger/notices/spend-alert-mail.ts';
import type { SpendAlert } from '#lib/ledger/spend-alert.ts';
import type { Budgets } from '#lib/providers/budgets.ts';
import type { Scenario } from '#lib/providers/fixtures/scenarios.ts';
import type { Providers } from '#lib/providers/ports.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import type { RecordedOptions } from '#lib/providers/wiring/recorded-transport.ts';
import type { ImplausibleCost, StudioContext, StudioPorts } from '#lib/studio/context.ts';
import { splitSecrets } from '#lib/studio/renders/render-signature.ts';
import { serviceOrigin } from '../security/origin.ts';
import { connection } from './connection.ts';
import { configuredFiles } from './files.ts';
import { sendAll } from './mailer.ts';
import { defaultVoiceId } from './voice-serving.ts';

/** Makes a runner of renders on this machine, from what the service is configured with. */
export type LocalRunner = (options: {
  dataDir: string;
  callbackSecret: string;
  /** The failure that its runs play instead of a normal one. */
  scenario?: 'failed' | 'blackout';
}) => Providers['render'];

// `npm start` gives the runner before the server loads (lib/local/serving/serve-hooks.ts): nothing here knows of it.
const shared = globalThis as { atelierStudio?: StudioPorts; atelierLocalRunner?: LocalRunner };

/** The outside services as configured; `fixtures` makes all of them recorded. */
export function configuredProviders(fixtures?: RecordedOptions, budgets?: Partial<Budgets>): Providers {
  const config = env();
  const providers = createProviders({
    live: fixtures ? new Set() : config.liveProviders,
    ...(fixtures ? {} : { absent: config.absentProviders }),
    clock: systemClock,
    secrets: providerKeys(config),
    renderRepository: config.SERVICE_RENDER_REPOSITORY,
    lipsyncWebhookSecrets: splitSecrets(config.LIPSYNC_WEBHOOK_SECRET),
    gatewayRouting: {
      zeroDataRetention: config.AI_GATEWAY_ZERO_RETENTION === '1',
      ...(config.AI_GATEWAY_REGION ? { inferenceRegion: config.AI_GATEWAY_REGION } : {}),
    },
    ...(fixtures ? { fixtures } : {}),
    ...(budgets ? { budgets } : {}),
  });
  const scenario = fixtures?.scenario ?? 'success';
  const render = localRunner(config, scenario);
  if (!render) return providers;
  // A dispatch that the scenario refuses is refused by the recorded CI, and no run begins on this machine.
  return {
    ...providers,
    render: NOT_TAKEN.has(scenario) ? { ...render, dispatch: providers.render.dispatch } : render,
  };
}

/** Scenarios in which the provider refuses the request. */
const NOT_TAKEN: ReadonlySet<Scenario> = new Set([
  'timeout',
  'provider-error',
  'refused-not-sent',
  'busy-once-sent',
  'rate-limited',
  'content-refused',
  'quota-exhausted',
  'bad-answer',
]);
/** The scenarios that a local run plays; under any other it runs normally. */
const RUNS: Partial<Record<Scenario, 'failed' | 'blackout'>> = {
  'run-failed': 'failed',
  blackout: 'blackout',
};

/** Outside production a render that is not live is drawn on this machine, when it was given a runner. */
function localRunner(config: Env, played: Scenario = 'success'): Providers['render'] | undefined {
  const { CALLBACK_SECRET: callbackSecret } = config;
  if (config.isProduction || config.liveProviders.has('github') || !callbackSecret) return undefined;
  const scenario = RUNS[played];
  return shared.atelierLocalRunner?.({
    dataDir: config.SERVICE_DATA_DIR,
    callbackSecret,
    ...(scenario ? { scenario } : {}),
  });
}

function createPorts(): StudioPorts {
  const config = env();
  const { store, origin: _, ...addresses } = configuredFiles();
  const isLive = config.liveProviders.has('github');
  return {
    providers: configuredProviders(),
    ...(config.isProduction || config.liveProviders.size === 0 ? {} : { recorded: configuredProviders({}) }),
    store,
    fetch: safeFetch,
    config: {
      publicUrl: config.SERVICE_PUBLIC_URL ?? null,
      spendAlertMicros: config.SERVICE_SPEND_ALERT_USD
        ? microsFromUsd(config.SERVICE_SPEND_ALERT_USD.replace(',', '.'))
        : 0n,
      rendersConfigured: isLive
        ? Boolean(config.SERVICE_RENDER_REPOSITORY && config.SERVICE_RENDER_DISPATCH_TOKEN)
        : localRunner(config) !== undefined,
      ...addresses,
      defaultVoiceId: defaultVoiceId(config),
    },
    mailSpendAlert,
    mailImplausibleCost,
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

/** Each founder of the account is mailed; throws only when every address refused. With one taken, or no founder left, the alert is told. */
async function mailSpendAlert(alert: SpendAlert): Promise<void> {
  const founders = await listFounderAddresses(connection(), { accountId: alert.accountId });
  await sendAll(founders.map((email) => spendAlertMail(email, alert)));
}

/** The founders of the operator's account are told; throws when nobody could be. */
async function mailImplausibleCost(alert: ImplausibleCost): Promise<void> {
  const { generationId, gatewayMicros, debitedMicros } = alert;
  const operators = await listOperatorAddresses(connection());
  if (operators.length === 0) throw new Error('no account is the operator’s');
  const [said, debited] = [formatUsd(gatewayMicros), formatUsd(debitedMicros)];
  const page = `${env().SERVICE_PUBLIC_URL ?? ''}/exploitation`;
  await sendAll(
    operators.map((email) => ({
      to: email,
      subject: `Atelier\u00a0: un coût de ${said} à vérifier`,
      text: `Un coût de ${said} est annoncé pour la génération ${generationId}. Ce montant ne peut pas être vrai\u00a0: le membre a été débité de ce qui était retenu, ${debited}.\nSi le montant est confirmé par la facture, débitez le reste depuis la page Exploitation\u00a0: ${page}\n`,
    })),
  );
}
