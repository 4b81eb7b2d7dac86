import { bucketAddress, s3Options } from '#lib/storage/stores/s3-options.ts';
import { returnPath } from './return-path.ts';

/** What decides the headers of a page. */
export type PageHeadersInput = {
  nonce: string;
  url: URL;
  /** The page reached the browser over https. */
  https: boolean;
  /** `next dev`: its overlay and its source maps need more than a built page does. */
  hotReload: boolean;
  env: Readonly<Record<string, string | undefined>>;
};

/** Where a browser may send a file straight to the store: the store's own addresses, or the one that stands for it. */
function storeSources(env: PageHeadersInput['env']): string[] {
  const bucket = s3Options(env);
  if (bucket) return [new URL(bucketAddress(bucket)).origin];
  const redirected = env.NEXT_PUBLIC_VERCEL_BLOB_API_URL || env.VERCEL_BLOB_API_URL;
  if (redirected) return [new URL(redirected).origin];
  return env.BLOB_READ_WRITE_TOKEN ? ['https://vercel.com', 'https://*.blob.vercel-storage.com'] : [];
}

/** The address of the consent page that this document is, or turns into without another load once its reader has signed in. */
function consentAddress(url: URL): URL | null {
  const own =
    url.pathname === '/connexion' ? new URL(returnPath(url.searchParams.get('retour')), url.origin) : url;
  return own.pathname.startsWith('/oauth/') ? own : null;
}

/**
 * Where the forms of a page may lead, redirects included; null: anywhere. Only the answer of a consent page, or of the sign-in page that leads to
 * it, leaves this service, for an address that the authorization server judges, not this policy. Chromium and WebKit apply `form-action` to every
 * redirect that follows, also to those of the application itself (https://claude.ai answers with claude://), which nobody here can list.
 */
function formTargets(url: URL): string[] | null {
  const target = URL.parse(consentAddress(url)?.searchParams.get('redirect_uri') ?? '');
  if (!target) return ["'self'"];
  const { protocol } = target;
  if (protocol === 'https:' || protocol === 'http:') return null;
  // An application's own scheme ends the navigation.
  return /^[a-z][a-z0-9+.-]*:$/.test(protocol) && !/^(javascript|data|blob|file|about):$/.test(protocol)
    ? ["'self'", protocol]
    : ["'self'"];
}

/**
 * The Content-Security-Policy of a page. Scripts: this page's nonce and what they load, nothing inline. Style
 * elements: same rule. Style attributes are allowed (widths of bars, positions of popups): they run nothing
 * and may fetch nothing from outside.
 */
export function contentSecurityPolicy(input: PageHeadersInput): string {
  const { nonce, url, https, hotReload, env } = input;
  const forms = formTargets(url);
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(hotReload ? ["'unsafe-eval'"] : [])],
    'style-src': hotReload ? ["'self'", "'unsafe-inline'"] : ["'self'", `'nonce-${nonce}'`],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'blob:', 'data:'],
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...storeSources(env)],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'frame-src': ["'none'"],
    'base-uri': ["'none'"],
    ...(forms === null ? {} : { 'form-action': forms }),
    'frame-ancestors': ["'none'"],
    ...(https ? { 'upgrade-insecure-requests': [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

/**
 * Every security header of a page, the policy included. Where an application on the web may have opened the page in a window of its own, to ask
 * for consent, it keeps hold of that window: separated from it, it would take it for closed, and give up the connection.
 */
export function pageHeaders(
  input: PageHeadersInput,
): Record<string, string> & { 'Content-Security-Policy': string } {
  return {
    'Content-Security-Policy': contentSecurityPolicy(input),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
    ...(formTargets(input.url) === null ? {} : { 'Cross-Origin-Opener-Policy': 'same-origin' }),
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(input.https ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } : {}),
  };
}
