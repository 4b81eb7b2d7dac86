import {
  isSecureService,
  sessionCookieName,
  signSessionCookie,
} from '#lib/identity/sessions/session-cookie.ts';
import type { DemoAccess } from '../state.ts';

/**
 * The cookie of the demonstration member's session, under the name that a service at this public address reads; undefined without a
 * secret to sign it.
 */
export async function demoCookie(
  demo: Pick<DemoAccess, 'sessionId'>,
  secret: string | undefined,
  publicUrl: string | undefined,
): Promise<string | undefined> {
  if (!secret) return undefined;
  return `${sessionCookieName(isSecureService(publicUrl))}=${await signSessionCookie(demo.sessionId, secret)}`;
}

/** The last lines that `npm start` prints: where the cockpit is, how to sign in, and commands that work as they stand. */
export function welcome(input: {
  url: string;
  demo: DemoAccess | undefined;
  cookie: string | undefined;
  outboxToken: string | undefined;
  seconds: string;
}): string[] {
  const { url, demo, cookie, outboxToken, seconds } = input;
  const lines = ['', `Atelier est prêt (${seconds.replace('.', ',')} s).`, '', `  Cockpit     ${url}`];
  if (outboxToken) lines.push(`  Courrier    ${url}/boite-envoi?jeton=${outboxToken}`);
  if (demo) {
    lines.push(
      `  Connexion   ${demo.memberEmail}\u00a0; le code envoyé s’affiche ici`,
      '',
      '  Le contexte d’une marque, par l’API\u00a0:',
      `    curl -H "Authorization: Bearer ${demo.apiKey}" "${url}/api/v1/spaces/${demo.spaceId}/context?maxChars=2000"`,
    );
    if (cookie)
      lines.push(
        '',
        '  Le Studio, avec une session ouverte\u00a0: une image sur le crédit de démonstration, puis le journal\u00a0:',
        `    export ATELIER_SESSION="${cookie}"`,
        `    curl -H "Cookie: $ATELIER_SESSION" -H "Content-Type: application/json" -d '{"kind":"image","brief":"Une bougie sur une table en chêne"}' ${url}/api/generations`,
        `    curl -H "Cookie: $ATELIER_SESSION" ${url}/api/generations`,
      );
  }
  return [...lines, '', '  Ctrl-C arrête tout.', ''];
}
