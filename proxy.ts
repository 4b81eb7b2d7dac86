import { type NextRequest, NextResponse } from 'next/server';
import { isMalformedPath, refuseMalformedPath } from '#lib/http/security/malformed-address.ts';
import { pageHeaders } from '#lib/http/security/page-headers.ts';
import { PAGE_HEADER } from '#lib/http/security/return-path.ts';

const ROUTES_AMONG_PAGES = new Set(['/audit/export']);

/** Gives every page its nonce and its security headers. Decides nothing about who may see it: each page does. */
export function proxy(request: NextRequest): NextResponse {
  const { pathname } = request.nextUrl;
  // No address of ours holds a NUL, and PostgreSQL takes none: such a page is not asked for by a person. A route names the field itself.
  const isPage = !ROUTES_AMONG_PAGES.has(pathname);
  if (isMalformedPath(pathname) || (isPage && request.nextUrl.href.includes('%00'))) {
    const { status, headers, body } = refuseMalformedPath(pathname);
    return new NextResponse(body, { status, headers });
  }
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const headers = pageHeaders({
    nonce,
    url: request.nextUrl,
    https: (request.headers.get('x-forwarded-proto') ?? request.nextUrl.protocol).startsWith('https'),
    hotReload: process.env.NODE_ENV === 'development',
    env: process.env,
  });
  // Next reads the nonce from the request's policy and puts it on every script and style of the page.
  const forwarded = new Headers(request.headers);
  forwarded.set('x-nonce', nonce);
  forwarded.set(PAGE_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  forwarded.set('Content-Security-Policy', headers['Content-Security-Policy']);
  const response = NextResponse.next({ request: { headers: forwarded } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  // Who asks for Markdown is answered by a page's twin (next.config.ts).
  if (/^\/docs(?:\/|\.md$|$)/.test(pathname)) response.headers.append('Vary', 'Accept');
  return response;
}

export const config = {
  matcher: [
    '/((?!api/|_next/static|_next/image|favicon.ico|icon.svg|icons/|partage/|apple-touch-icon.png|manifest.webmanifest|robots.txt|llms.txt|llms-full.txt|\\.well-known/).*)',
  ],
};
