import { cookies, headers } from 'next/headers';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { networkOf } from '#lib/http/requests/network.ts';
import { passkeySite } from '#lib/http/security/passkey-site.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { browserCookie, newBrowserToken, readBrowserToken } from '#lib/identity/sign-in/browser.ts';

/** The browser that calls an action: its network, user agent and token, and the secret of the service. */
export async function callingBrowser() {
  const [store, sent] = [await cookies(), await headers()];
  const isSecure = isSecureService();
  return {
    secret: env().SERVICE_SESSION_SECRET,
    network: networkOf(sent),
    userAgent: sent.get('user-agent') ?? '',
    browser: readBrowserToken((name) => store.get(name)?.value, isSecure),
    /** The browser's token; a new one is set as a cookie if it has none. */
    held(): string {
      const token = readBrowserToken((name) => store.get(name)?.value, isSecure);
      if (token) return token;
      const made = newBrowserToken();
      store.set(browserCookie(made, isSecure));
      return made;
    },
    /** The site of passkeys at this address. Throws `not_configured` if there can be none. */
    party() {
      const site = passkeySite(sent);
      if (site) return site;
      throw new ServiceError('not_configured', {
        message: 'Les clés d’accès ne fonctionnent pas à cette adresse. Demandez un code par e-mail.',
      });
    },
  };
}
