import { registerOTel } from '@vercel/otel';
import type { Instrumentation } from 'next';
import { spanScrubber } from '#lib/http/boot/scrub-spans.ts';

/** At boot, once per instance: traces, what Next's server does not do by itself, and a configuration whose every fault is named before the first request. */
export async function register(): Promise<void> {
  // Without a collector nothing is exported: the default would knock at a local port for every batch. Traces still have their ids.
  const collected =
    process.env.VERCEL ??
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT ??
    process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  registerOTel({ serviceName: 'atelier', spanProcessors: collected ? [spanScrubber, 'auto'] : [] });
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    // While one develops, Next's own page of an error wants it whole.
    if (process.env.NODE_ENV === 'production') {
      const { logFaults } = await import('#lib/http/boot/log-faults.ts');
      logFaults();
    }
    const { sendDeclaredLengths } = await import('#lib/http/responses/declared-length.ts');
    sendDeclaredLengths();
    const { env } = await import('#lib/core/env.ts');
    const { logIncompleteProviders } = await import('#lib/http/boot/log-providers.ts');
    logIncompleteProviders(env());
    if (env().isProduction) {
      const { refuseDemonstrationAtBoot } = await import('#lib/http/boot/refuse-demonstration.ts');
      await refuseDemonstrationAtBoot(env());
      // Where an instance starts for a request, /api/health looks instead.
      if (!env().VERCEL) {
        const { refusePublicStoreAtBoot } = await import('#lib/http/boot/refuse-public-store.ts');
        await refusePublicStoreAtBoot(env());
      }
    } else {
      const { allowInProcessReading } = await import('#lib/core/child-process/child-refused.ts');
      allowInProcessReading();
    }
    const { guardServer } = await import('#lib/http/boot/guard-server.ts');
    guardServer();
    const { abortOnStop } = await import('#lib/http/runtime/stopping.ts');
    abortOnStop();
    const { exposePeers } = await import('#lib/http/requests/peer.ts');
    exposePeers();
  }
}

/** What Next caught by itself: told with the route that it happened on. */
export const onRequestError: Instrumentation.onRequestError = async (error, _request, where) => {
  // The build for another runtime leaves out what needs this one.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { logFailedPage } = await import('#lib/http/boot/log-faults.ts');
    logFailedPage(error, where);
  }
};
