import { gzipSync } from 'node:zlib';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { allPages } from '#tests/e2e/setup/pages/all.ts';
import type { ShownPage } from '#tests/e2e/setup/pages/brain.ts';
import { openScenes } from '#tests/e2e/setup/scenes/brain.ts';
import { serveApp } from '#tests/e2e/setup/serve.ts';

// npm run weight: what a first visit of every page of tests/e2e/setup/pages/all.ts loads, from the real build: scripts (gzip) and HTML
// (as sent, and gzip). Exit code 1 when a page passes a limit, or does not answer as it should.
const MAX_SCRIPTS = 180 * 1024;
const MAX_HTML = 1024 * 1024;

const app = await serveApp();
const scenes = await openScenes(app);
try {
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
  const demo = {
    name: sessionCookieName(false),
    value: await signSessionCookie(app.demo?.sessionId ?? '', secret),
  };
  const crowd = await scenes.seat();
  const crowdSpace = await scenes.crowd(crowd, 'Foule', 2_000);
  const pages: ShownPage[] = [
    ...(await allPages(app, scenes, demo)),
    { name: 'espace-2000', path: `/espaces/${crowdSpace}`, cookie: crowd.cookie },
    { name: 'contexte-2000', path: '/contexte?max=200000', cookie: crowd.cookie },
  ];
  const scripts = new Map<string, number>();
  const rows: Record<string, Record<string, string | number>> = {};
  const faults: string[] = [];
  for (const { name, path, cookie, status = 200 } of pages) {
    const started = performance.now();
    const headers = new Headers(cookie ? { cookie: `${cookie.name}=${cookie.value}` } : {});
    const answer = await fetch(app.baseUrl + path, { headers, redirect: 'manual' });
    const html = await answer.text();
    const ms = Math.round(performance.now() - started);
    if (answer.status !== status) faults.push(`${name}: ${path} answers ${answer.status}, not ${status}`);
    const sources = new Set(
      [...html.matchAll(/<script[^>]+src="([^"]+\.js)[^"]*"(?![^>]*nomodule)/gi)].map(
        (match) => match[1] as string,
      ),
    );
    let total = 0;
    for (const source of sources) {
      if (!scripts.has(source)) {
        const file = await fetch(new URL(source, app.baseUrl));
        if (!file.ok) faults.push(`${name}: ${source} answers ${file.status}`);
        scripts.set(source, gzipSync(await file.arrayBuffer()).length);
      }
      total += scripts.get(source) ?? 0;
    }
    const bytes = Buffer.byteLength(html);
    if (sources.size === 0) faults.push(`${name}: no script found`);
    if (total > MAX_SCRIPTS) faults.push(`${name}: ${kib(total)} KiB of scripts`);
    if (bytes > MAX_HTML) faults.push(`${name}: ${kib(bytes)} KiB of HTML`);
    rows[name] = {
      path: path.length > 44 ? `${path.slice(0, 43)}…` : path,
      'scripts KiB (gzip)': kib(total),
      files: sources.size,
      'HTML KiB': kib(bytes),
      'HTML KiB (gzip)': kib(gzipSync(html).length),
      ms,
    };
  }
  console.table(rows);
  console.log(`Limits: ${kib(MAX_SCRIPTS)} KiB of scripts, ${kib(MAX_HTML)} KiB of HTML.`);
  for (const fault of faults) console.error(`✗ ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await scenes.close();
  await app.stop();
}

function kib(bytes: number): number {
  return Math.round(bytes / 102.4) / 10;
}
