import { gzipSync } from 'node:zlib';
import { sessionCookieName, signSessionCookie } from '#lib/identity/session-cookie.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { openScenes } from '#tests/e2e/setup/scenes.ts';
import { serveApp } from '#tests/e2e/setup/serve.ts';

// npm run weight: what a first visit of each cockpit page loads, from the real build: scripts (gzip) and HTML (as sent, and gzip).
// Exit code 1 when a page passes a limit.
const MAX_SCRIPTS = 180 * 1024;
const MAX_HTML = 1024 * 1024;

const app = await serveApp();
const scenes = await openScenes(app);
try {
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
  const demo = `${sessionCookieName(false)}=${await signSessionCookie(app.demo?.sessionId ?? '', secret)}`;
  const crowd = await scenes.seat();
  const crowdSpace = await scenes.crowd(crowd, 'Foule', 2_000);
  const pages: [string, string, string][] = [
    ...[
      '/espaces',
      '/recherche?q=lampe',
      '/contexte',
      '/contexte?max=200000',
      '/developpeurs',
      '/projets',
      '/equipe',
      '/audit',
      '/compte',
      '/creer',
      '/journal',
      '/voix',
      '/modeles',
      '/avatars',
      '/produits',
      '/portefeuille',
      '/applications',
      '/exploitation',
    ].map((path): [string, string, string] => [path, path, demo]),
    [`/espaces/… (demonstration)`, `/espaces/${app.demo?.spaceId}`, demo],
    ['/espaces/… (2,000 memories)', `/espaces/${crowdSpace}`, `${crowd.cookie.name}=${crowd.cookie.value}`],
    ['/contexte?max=200000 (2,000)', '/contexte?max=200000', `${crowd.cookie.name}=${crowd.cookie.value}`],
  ];
  const scripts = new Map<string, number>();
  const rows: Record<string, Record<string, string | number>> = {};
  let over = false;
  for (const [name, path, cookie] of pages) {
    const started = performance.now();
    const answer = await fetch(app.baseUrl + path, { headers: { cookie }, redirect: 'manual' });
    const html = await answer.text();
    const ms = Math.round(performance.now() - started);
    if (answer.status !== 200) continue;
    const sources = new Set(
      [...html.matchAll(/<script[^>]+src="([^"]+\.js)[^"]*"(?![^>]*nomodule)/gi)].map(
        (match) => match[1] as string,
      ),
    );
    let total = 0;
    for (const source of sources) {
      if (!scripts.has(source)) {
        const bytes = await (await fetch(new URL(source, app.baseUrl))).arrayBuffer();
        scripts.set(source, gzipSync(bytes).length);
      }
      total += scripts.get(source) ?? 0;
    }
    over ||= total > MAX_SCRIPTS || html.length > MAX_HTML;
    rows[name] = {
      'scripts KiB (gzip)': kib(total),
      files: sources.size,
      'HTML KiB': kib(Buffer.byteLength(html)),
      'HTML KiB (gzip)': kib(gzipSync(html).length),
      ms,
    };
  }
  console.table(rows);
  console.log(
    `Limits: ${kib(MAX_SCRIPTS)} KiB of scripts, ${kib(MAX_HTML)} KiB of HTML.${over ? ' Exceeded.' : ''}`,
  );
  if (over) process.exitCode = 1;
} finally {
  await scenes.close();
  await app.stop();
}

function kib(bytes: number): number {
  return Math.round(bytes / 102.4) / 10;
}
