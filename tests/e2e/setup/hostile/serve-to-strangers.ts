import { fileURLToPath } from 'node:url';
import { startHttpsServer } from '#tests/setup/https-server.ts';
import type { ServedApp } from '../serve.ts';
import { serveBeside } from '../serve-beside.ts';

export type Hostile = {
  baseUrl: string;
  /** Address of a public page whose HTML is this, as the service sees it. */
  page(html: string): string;
  stop(): Promise<void>;
};

/**
 * An instance of the served app of its own, behind one trusted proxy, for strangers to attack: with a site of theirs that it can read,
 * and a rate per account (1,500 requests a minute) that a test can pass.
 */
export async function serveToStrangers(app: ServedApp): Promise<Hostile> {
  const pages: string[] = [];
  const site = await startHttpsServer((request, response) => {
    const html = pages[Number(request.url?.slice(1))];
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(html);
  });
  const served = await serveBeside(app, {
    NODE_OPTIONS: `--import=${new URL('./stranger-hooks.ts', import.meta.url).href}`,
    NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../../../fixtures/tls/ca.pem', import.meta.url)),
    ATELIER_TEST_SITE_PORT: String(site.port),
    TRUSTED_PROXY_HOPS: '1',
    SERVICE_ACCOUNT_RATE: '1500',
  });
  return {
    baseUrl: served.baseUrl,
    page: (html) => `https://etranger.atelier.example/${pages.push(html) - 1}`,
    async stop() {
      await served.stop();
      await site.close();
    },
  };
}
