import { NextRequest } from 'next/server';
import { describe, expect, test } from 'vitest';
import {
  contentSecurityPolicy,
  type PageHeadersInput,
  pageHeaders,
} from '#lib/http/security/page-headers.ts';
import { proxy } from '../../../../proxy.ts';

const input = (over: Partial<PageHeadersInput> = {}): PageHeadersInput => ({
  nonce: 'bm9uY2U=',
  url: new URL('http://localhost:3000/espaces'),
  https: false,
  hotReload: false,
  env: {},
  ...over,
});

/** The sources of a directive; null when the policy leaves it out. */
function sources(name: string, over: Partial<PageHeadersInput> = {}): string[] | null {
  const found = contentSecurityPolicy(input(over))
    .split('; ')
    .map((text) => text.split(' '))
    .find(([first]) => first === name);
  return found?.slice(1) ?? null;
}

function directive(name: string, over: Partial<PageHeadersInput> = {}): string[] {
  const found = sources(name, over);
  if (!found) throw new Error(`${name} is missing`);
  return found;
}

describe('headers of a page', () => {
  test('no inline script runs without this page’s nonce, and none is evaluated', () => {
    expect(directive('script-src')).toEqual(["'self'", "'nonce-bm9uY2U='", "'strict-dynamic'"]);
    expect(directive('style-src')).toEqual(["'self'", "'nonce-bm9uY2U='"]);
  });

  test('no site may frame a page, nor a page frame a site', () => {
    expect(directive('frame-ancestors')).toEqual(["'none'"]);
    expect(directive('frame-src')).toEqual(["'none'"]);
  });

  test('images, media and fonts come from here alone', () => {
    for (const name of ['img-src', 'media-src', 'font-src'])
      expect(directive(name).filter((source) => /https?:|\*/.test(source))).toEqual([]);
  });

  test('a browser may send files to the store in use, and nowhere else', () => {
    expect(directive('connect-src')).toEqual(["'self'"]);
    expect(directive('connect-src', { env: { BLOB_READ_WRITE_TOKEN: 'x' } })).toContain('https://vercel.com');
    expect(
      directive('connect-src', {
        env: { BLOB_READ_WRITE_TOKEN: 'x', VERCEL_BLOB_API_URL: 'http://127.0.0.1:4100/api' },
      }),
    ).toEqual(["'self'", 'http://127.0.0.1:4100']);
    const bucket = { S3_BUCKET: 'atelier', S3_ENDPOINT: 'https://s3.fr-par.scw.cloud', S3_PATH_STYLE: '0' };
    expect(directive('connect-src', { env: bucket })).toEqual([
      "'self'",
      'https://atelier.s3.fr-par.scw.cloud',
    ]);
  });

  test('only the form of a consent page may lead out of here: to the application that asked, and on to wherever that leads', () => {
    const at = (path: string, target: string) =>
      sources('form-action', {
        url: new URL(`http://localhost:3000${path}?redirect_uri=${encodeURIComponent(target)}`),
      });
    expect(at('/espaces', 'https://app.example/cb')).toEqual(["'self'"]);
    // Where the application leads on is judged too: Claude's callback answers with claude:// (PrefectHQ/fastmcp#3369).
    for (const target of [
      'https://claude.ai/api/mcp/auth_callback',
      'https://vscode.dev/redirect',
      'http://127.0.0.1:51234/cb',
      'http://[::1]:51234/cb',
    ])
      expect(at('/oauth/consentement', target), target).toBeNull();
    // An application is the end of the way.
    expect(at('/oauth/consentement', 'cursor://anysphere.cursor-mcp/oauth/callback')).toEqual([
      "'self'",
      'cursor:',
    ]);
    for (const target of ['javascript:alert(1)', 'data:text/html,x', 'blob:x', 'not an address', ''])
      expect(at('/oauth/consentement', target), target).toEqual(["'self'"]);
    for (const target of ['https://x.example/; script-src *', 'https://x;y/', "https://x'y/"])
      expect(
        contentSecurityPolicy(
          input({ url: new URL(`http://localhost:3000/oauth/consentement?redirect_uri=${target}`) }),
        ),
        target,
      ).not.toMatch(/script-src \*|x;y|x'y/);
  });

  test('the sign-in page that leads to a consent page carries the policy of that consent page, and no other sign-in page does', () => {
    const signIn = (back: string) =>
      sources('form-action', {
        url: new URL(`http://localhost:3000/connexion?retour=${encodeURIComponent(back)}`),
      });
    const query = `redirect_uri=${encodeURIComponent('https://app.example/cb')}`;
    expect(signIn(`/oauth/consentement?${query}`)).toBeNull();
    expect(signIn('/oauth/consentement?redirect_uri=cursor://anysphere.cursor-mcp/oauth/callback')).toEqual([
      "'self'",
      'cursor:',
    ]);
    expect(signIn('/oauth/consentement?redirect_uri=javascript:alert(1)')).toEqual(["'self'"]);
    for (const back of [
      `/espaces?${query}`,
      `//oauth/x?${query}`,
      `https://evil.example/oauth/?${query}`,
      '',
    ])
      expect(signIn(back), back).toEqual(["'self'"]);
    expect(directive('form-action', { url: new URL(`http://localhost:3000/connexion?${query}`) })).toEqual([
      "'self'",
    ]);
  });

  test('who opened a consent page in a window keeps hold of it, and hears of its end; no other page can be held', () => {
    const opener = (path: string) =>
      pageHeaders(input({ url: new URL(`http://localhost:3000${path}`) }))['Cross-Origin-Opener-Policy'];
    const consent = (target: string) => `/oauth/consentement?redirect_uri=${encodeURIComponent(target)}`;
    for (const target of ['https://app.example/cb', 'http://localhost:6274/oauth/callback']) {
      expect(opener(consent(target)), target).toBeUndefined();
      expect(opener(`/connexion?retour=${encodeURIComponent(consent(target))}`), target).toBeUndefined();
    }
    for (const path of [
      '/espaces',
      '/connexion',
      '/connexion?retour=%2Fespaces%3Fredirect_uri%3Dhttps%3A%2F%2Fapp.example%2Fcb',
      '/espaces?redirect_uri=https://app.example/cb',
      '/oauth/consentement',
      consent('cursor://anysphere.cursor-mcp/oauth/callback'),
    ])
      expect(opener(path), path).toBe('same-origin');
  });

  test('https is kept once it was used, and never forced on a local http address', () => {
    expect(pageHeaders(input())).not.toHaveProperty('Strict-Transport-Security');
    expect(pageHeaders(input({ https: true }))['Content-Security-Policy']).toContain(
      'upgrade-insecure-requests',
    );
  });
});

test('a page is told its own address and nonce, whatever its browser says of them', () => {
  const said = { 'x-atelier-page': '/ailleurs', 'x-nonce': 'connu', 'content-security-policy': 'aucune' };
  const { headers } = proxy(new NextRequest('http://localhost:3000/espaces?q=1', { headers: said }));
  const told = (name: string) => headers.get(`x-middleware-request-${name}`);
  expect(told('x-atelier-page')).toBe('/espaces?q=1');
  expect(told('x-nonce')).toMatch(/^[\w+/]{22}==$/);
  expect(told('content-security-policy')).toContain(`'nonce-${told('x-nonce')}'`);
  expect(headers.get('content-security-policy')).toBe(told('content-security-policy'));
});
