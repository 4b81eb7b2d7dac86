import { cookies, headers } from 'next/headers';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { networkOf } from '#lib/http/requests/network.ts';
import { passkeySite } from '#lib/http/security/passkey-site.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { browserCookie, newBrowserToken, readBrowserToken } from '#lib/identity/sign-in/browser.ts';

/** The browser that calls an action: its network, the value that it holds, and the secret of the service. */
export async function callingBrowser() {
  const [store, sent] = [await cookies(), await headers()];
  const isSecure = isSecureService();
  return {
    secret: env().SERVICE_SESSION_SECRET,
    network: networkOf(sent),
    userAgent: sent.get('user-agent') ?? '',
    browser: readBrowserToken((name) => store.get(name)?.value, isSecure),
    /** The same value, given to the browser when it holds none. */
    held(): string {
      const token = readBrowserToken((name) => store.get(name)?.value, isSecure);
      if (token) return token;
      const made = newBrowserToken();
      store.set(browserCookie(made, isSecure));
      return made;
    },
    /** The site of passkeys here. Errors: `not_configured` where there can be none. */
    party() {
      const site = passkeySite(sent);
      if (site) return site;
      throw new ServiceError('not_configured', {
        message: 'Les clés d’accès ne fonctionnent pas à cette adresse. Demandez un code par e-mail.',
      });
    },
  };
}
