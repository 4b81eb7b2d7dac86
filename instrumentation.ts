import { registerOTel } from '@vercel/otel';
import { spanScrubber } from '#lib/http/runtime/scrub-spans.ts';

/** At boot, once per instance: traces, what Next's server does not do by itself, and a configuration whose every fault is named before the first request. */
export async function register(): Promise<void> {
  // Without a collector nothing is exported: the default would knock at a local port for every batch. Traces still have their ids.
  const collected =
    process.env.VERCEL ??
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT ??
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  registerOTel({ serviceName: 'atelier', spanProcessors: collected ? [spanScrubber, 'auto'] : [] });
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { sendDeclaredLengths } = await import('#lib/http/responses/declared-length.ts');
    sendDeclaredLengths();
    const { env } = await import('#lib/core/env.ts');
    const { tellProviders } = await import('#lib/http/runtime/tell-providers.ts');
    tellProviders(env());
    if (env().isProduction) {
      const { refuseDemonstrationAtBoot } = await import('#lib/http/runtime/refuse-demonstration.ts');
      await refuseDemonstrationAtBoot(env());
      // Where an instance starts for a request, /api/health looks instead.
      if (!env().VERCEL) {
        const { refusePublicStoreAtBoot } = await import('#lib/http/runtime/refuse-public-store.ts');
        await refusePublicStoreAtBoot(env());
      }
    }
    const { guardServer } = await import('#lib/http/runtime/guard-server.ts');
    guardServer();
    const { tellPeers } = await import('#lib/http/requests/peer.ts');
    tellPeers();
  }
}
