import { pathToFileURL } from 'node:url';
import { nextFreePort, type Served, serve } from '#lib/local/serving/serve.ts';

export type Instance = {
  name: string;
  url: string;
  /** What the browser calls the session's cookie there. */
  cookieName: string;
  isUp(): boolean;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * One server process among several on the same database and files, with the gateway live (led to the run's own provider) and every other
 * service recorded. It keeps its port over its deaths, so that who calls back finds it again.
 */
export async function makeInstance(options: {
  name: string;
  env: NodeJS.ProcessEnv;
  outsideUrl: string;
  subscriberUrl: string;
  publicUrl?: string;
}): Promise<Instance> {
  // Below the ports that Linux gives to outgoing connections: the instance takes it again each time it starts.
  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 12_000));
  const preload = pathToFileURL(`${import.meta.dirname}/route-gateway.ts`).href;
  let served: Served | undefined;
  const end = async (how: 'kill' | 'stop') => {
    const one = served;
    served = undefined;
    await one?.[how]();
  };
  return {
    name: options.name,
    url: `http://127.0.0.1:${port}`,
    cookieName: options.publicUrl ? '__Host-atelier' : 'atelier',
    isUp: () => served !== undefined,
    kill: () => end('kill'),
    stop: () => end('stop'),
    async start() {
      served = await serve({
        mode: 'start',
        port,
        quiet: true,
        env: {
          ...options.env,
          NODE_OPTIONS: `--import=${preload}`,
          CHAOS_OUTSIDE: options.outsideUrl,
          CHAOS_SUBSCRIBER: options.subscriberUrl,
          CHAOS_INSTANCE: options.name,
          SERVICE_ACCOUNT_RATE: '100000000',
          SERVICE_PROVIDERS: 'gateway',
          AI_GATEWAY_API_KEY: 'a-key-of-the-chaos-run',
          ...(options.publicUrl ? { SERVICE_PUBLIC_URL: options.publicUrl } : {}),
        },
      });
    },
  };
}
