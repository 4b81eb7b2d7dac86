import { randomHex } from '#lib/core/crypto.ts';
import { escapeHtml } from '#lib/core/text/escape-html.ts';

/** A page for a request that must not be answered by a redirect. */
export function oauthRefusalPage(input: {
  status: number;
  message: string;
  requestId: string;
  headers?: Record<string, string>;
}): Response {
  return page({
    ...input,
    title: 'Cette demande de connexion est refusée',
    body: [
      escapeHtml(input.message),
      'Rien n’a été autorisé, et rien n’a été transmis à l’application. Vous pouvez fermer cette page.',
    ],
  });
}

/**
 * The page for a member who refused an application that was never allowed before: they follow the link back themselves, and it says where it
 * leads.
 */
export function oauthDeniedPage(input: { location: string; target: string; requestId: string }): Response {
  return page({
    status: 200,
    requestId: input.requestId,
    title: 'Vous avez refusé cette connexion',
    body: [
      'Rien n’a été autorisé. Vous pouvez fermer cette page, ou le dire à l’application si c’est bien elle qui vous a envoyé ici.',
      `<a rel="noreferrer" href="${escapeHtml(input.location)}">Revenir à ${escapeHtml(input.target)}</a>`,
    ],
  });
}

/** A self-contained page: no script, nothing loaded. `body` is HTML. */
function page(input: {
  status: number;
  title: string;
  body: readonly string[];
  requestId: string;
  headers?: Record<string, string>;
}): Response {
  const nonce = randomHex(16);
  const html = `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${input.title} · Atelier</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; background: #f7f5f1; color: #1d1b18; }
main { max-width: 32rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
a { color: #3d31b8; }
.soft { color: #5c574e; font-size: .875rem; }
@media (prefers-color-scheme: dark) { body { background: #141311; color: #f1eee8; } a { color: #b3aaff; } .soft { color: #b4aea3; } }
</style>
</head>
<body>
<main>
<h1>${input.title}</h1>
${input.body.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
<p class="soft">Identifiant de la demande\u00a0: ${escapeHtml(input.requestId)}</p>
</main>
</body>
</html>`;
  return new Response(html, {
    status: input.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'fr',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      'Request-Id': input.requestId,
      ...input.headers,
    },
  });
}

/** A redirect that leaves nothing behind: not stored, no referrer that would carry the request's parameters on. */
export function oauthRedirect(location: string, requestId: string): Response {
  return new Response(null, {
    status: 303,
    headers: {
      Location: location,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Request-Id': requestId,
    },
  });
}
