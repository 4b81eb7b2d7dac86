import { randomHex } from '#lib/core/crypto.ts';
import { escapeHtml } from '#lib/core/text/escape-html.ts';

// The drawing of `app/icon.svg`: such a page loads no file.
const MARK =
  '<svg aria-hidden="true" width="28" height="28" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#3d31b8"/><path d="M6.5 17.5 11 6.5h2l4.5 11M8.6 13.5h6.8" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

type BarePage = {
  status: number;
  /** As text. */
  title: string;
  /** HTML. */
  body: string;
  requestId: string;
  /** Directives added to its content security policy, each ended by `; `: what it loads beside its style. */
  loads?: string;
  /** CSS rules added after the common ones. */
  style?: string;
  headers?: Record<string, string>;
};

/** A self-contained page outside the cockpit: no script, no caching, no indexing by search engines, no referrer. */
export function barePage({
  status,
  title,
  body,
  requestId,
  loads = '',
  style = '',
  headers = {},
}: BarePage): Response {
  const nonce = randomHex(16);
  const html = `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)} · Atelier</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; --ink: #1d1b18; --soft: #5c574e; --paper: #f7f5f1; --link: #3d31b8; --line: #d9d4ca; --surface: #fffefb; }
@media (prefers-color-scheme: dark) { :root { --ink: #f1eee8; --soft: #b4aea3; --paper: #141311; --link: #b3aaff; --line: #3a362f; --surface: #1c1a17; } }
body { margin: 0; min-height: 100vh; font: 16px/1.5 system-ui, sans-serif; background: var(--paper); color: var(--ink); }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1rem; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; overflow-wrap: anywhere; text-wrap: balance; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: var(--link); }
img, video { display: block; max-width: 100%; height: auto; max-height: 75vh; margin: 0 0 1rem; border-radius: 8px; }
audio { display: block; width: 100%; margin: 0 0 1rem; }
pre { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); white-space: pre-wrap; overflow-wrap: anywhere; font: 14px/1.6 ui-monospace, monospace; }
.action { display: inline-block; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); text-decoration: none; }
.mark { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.5rem; font-weight: 600; }
.soft { color: var(--soft); font-size: .875rem; }
${style}</style>
</head>
<body>
<main>
<p class="mark">${MARK}Atelier</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>`;
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': 'fr',
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; ${loads}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'X-Robots-Tag': 'noindex, nofollow, noarchive',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'private, no-store',
      'Request-Id': requestId,
      ...headers,
    },
  });
}
