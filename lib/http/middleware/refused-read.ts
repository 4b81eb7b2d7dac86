import type { ServiceError } from '#lib/core/errors.ts';
import { escapeHtml } from '#lib/core/text/escape-html.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import { wantsPage } from '../requests/wants-page.ts';
import { barePage } from '../responses/bare-page.ts';
import { serviceOrigin } from '../security/origin.ts';
import { returnPath, signInPath } from '../security/return-path.ts';

/** The page of the cockpit whose link was followed, as the browser names it; « / » when it names none. */
function pageBefore(request: Request): string {
  const before = URL.parse(request.headers.get('referer') ?? '');
  return before?.origin === serviceOrigin(request) ? before.pathname + before.search : '/';
}

/**
 * The refusal of a download or an export, as a page that explains it and links back, for a browser that followed a link: JSON would replace
 * the page it came from. Null for any other caller, who gets the house shape.
 */
export function refusedReadPage(request: Request, error: ServiceError, requestId: string): Response | null {
  if (request.method !== 'GET' || !wantsPage(request)) return null;
  const { retryAfterSeconds: wait, headers = {}, problems } = error.options;
  const before = pageBefore(request);
  const [title, href, label] =
    error.code === 'unauthenticated'
      ? ['Votre session est terminée', signInPath(before), 'Se connecter']
      : ['Rien n’a été téléchargé', returnPath(before), 'Retourner à Atelier'];
  const sentence = problems?.[0]?.message ?? errorMessage(error);
  return barePage({
    status: error.status,
    title,
    body: `<p class="soft">${escapeHtml(sentence)}</p><p><a class="action" href="${escapeHtml(href)}">${label}</a></p>`,
    requestId,
    headers: { ...headers, Vary: 'Accept', ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) },
  });
}
