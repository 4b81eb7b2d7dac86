import { escapeHtml } from '#lib/core/text/escape-html.ts';
import { barePage } from './bare-page.ts';

/** What a member reads first where the application is at fault. */
export const APPLICATION_FAULT =
  'L’application a envoyé une demande qu’Atelier ne peut pas accepter. C’est à son éditeur de la corriger.';

/**
 * A page for a request that must not be answered by a redirect. `isApplicationFault`: the message is for the application's publisher, and stands
 * below what the member needs to know.
 */
export function oauthRefusalPage(input: {
  status: number;
  message: string;
  isApplicationFault?: boolean;
  requestId: string;
  headers?: Record<string, string>;
}): Response {
  const message = escapeHtml(input.message);
  const close =
    'Rien n’a été autorisé, et rien n’a été transmis à l’application. Vous pouvez fermer cette page.';
  return page({
    ...input,
    title: 'Cette demande de connexion est refusée',
    body: input.isApplicationFault
      ? [APPLICATION_FAULT, close, `À lui transmettre\u00a0: ${message}`]
      : [message, close],
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

const STYLE = `body { display: grid; place-items: center; }
main { max-width: 32rem; margin: 0; padding: 2rem 1.5rem; }
h1, p { margin-bottom: .75rem; }
`;

/** A bare page in the middle of the window, with the request's identifier at its foot. Each entry of `body` is a paragraph of HTML. */
function page(input: {
  status: number;
  title: string;
  body: readonly string[];
  requestId: string;
  headers?: Record<string, string>;
}): Response {
  const paragraphs = input.body.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return barePage({
    ...input,
    style: STYLE,
    body: `${paragraphs}\n<p class="soft">Identifiant de la demande\u00a0: ${escapeHtml(input.requestId)}</p>`,
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
