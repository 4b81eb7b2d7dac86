/**
 * Preloaded into the embedded run's script: signed addresses of the store's files name Vercel's hosts, which here are the
 * embedded store. The script itself stays what the CI executes.
 */
import { readFile } from 'node:fs/promises';
import { routeBlobHosts } from '../blob/route-hosts.ts';

const event = JSON.parse(await readFile(process.env.GITHUB_EVENT_PATH ?? '', 'utf8')) as {
  inputs?: { store_api_url?: string };
};
const storeApiUrl = event.inputs?.store_api_url;
if (storeApiUrl) routeBlobHosts(storeApiUrl);
