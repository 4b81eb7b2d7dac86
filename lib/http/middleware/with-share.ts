import { z } from 'zod';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { escapeHtml } from '#lib/core/text/escape-html.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import type { fileHeaders } from '#lib/storage/schemas.ts';
import { countOpening, type OpenShare, openShare, type SharedFile } from '#lib/storage/shares/open-share.ts';
import { shareNotFound } from '#lib/storage/shares/share-rules.ts';
import { wantsPage } from '../requests/wants-page.ts';
import { barePage } from '../responses/bare-page.ts';
import { toServiceError } from '../responses/respond.ts';
import { apiPath, inHouseShape } from '../routes/api-path.ts';
import { type DeclaredHandler, declared, type RouteContext } from '../routes/declaration.ts';
import { fileAnswers, servedFile } from '../routes/served-file.ts';
import { createContext } from '../runtime/context.ts';
import { networkName } from './with-oauth.ts';

const sharePath = z.object({ token: z.string().meta({ description: 'Le jeton du partage' }) });
const PAGE = { description: 'Une page', contentType: 'text/html' };
const REFUSED = { 404: PAGE, 429: PAGE, 500: PAGE, 503: PAGE };
/** Nothing on the way may keep a copy: when a link ends, what it showed must be gone too. */
const UNKEPT = {
  'Cache-Control': 'private, no-store, no-transform',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
};

type Step = (given: {
  request: Request;
  token: string;
  ctx: ReturnType<typeof createContext>;
  open(wants: 'page' | 'file'): Promise<OpenShare>;
}) => Promise<Response>;

/** The edge of public share links: whoever has the address may read; no cookie is read or set, and every refusal is a page. */
function withShare(
  declaration: {
    id: string;
    summary: string;
    answers: Readonly<Record<number, typeof PAGE | { description: string }>>;
  },
  step: Step,
): DeclaredHandler {
  const bound = {
    ...declaration,
    tag: 'Partages',
    path: sharePath,
    answers: { ...declaration.answers, ...REFUSED },
    caller: { kind: 'anyone' },
    dialect: 'page',
    commonErrors: [],
  } as const;
  return declared(bound, async (request, context) => {
    const ctx = createContext({ type: 'anonymous' as const }, createId('request'));
    try {
      const token = await tokenOf(context);
      const network = networkName(request.headers);
      const open: Parameters<Step>[0]['open'] = (wants) => openShare(ctx, { token, network, wants });
      return await step({ request, token, ctx, open });
    } catch (thrown) {
      return refusal(toServiceError(thrown, ctx.log, ctx.requestId, 'internal-error'), ctx.requestId);
    }
  });
}

async function tokenOf(context: RouteContext | undefined): Promise<string> {
  const { token } = (await context?.params) ?? {};
  if (typeof token !== 'string') throw shareNotFound();
  return token;
}

/**
 * The handlers of an address under a share, which can only be read. Another method is refused with a page to a browser, in the house shape to
 * a program.
 */
export function shareRoute(GET: DeclaredHandler) {
  return apiPath({ GET }, (error, request, requestId) => {
    const isPerson = wantsPage(request);
    const response = isPerson ? refusal(error, requestId) : inHouseShape(error, request, requestId);
    response.headers.set('Vary', 'Accept');
    return response;
  });
}

function refusal(error: ServiceError, requestId: string): Response {
  const { retryAfterSeconds: wait, headers = {} } = error.options;
  return barePage({
    status: error.status,
    ...refusalWords(error),
    requestId,
    headers: { ...headers, ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) },
  });
}

function refusalWords(error: ServiceError): { title: string; body: string } {
  const said = (title: string, sentence: string) => ({
    title,
    body: `<p class="soft">${escapeHtml(sentence)}</p>`,
  });
  switch (error.code) {
    case 'not_found':
      return said(
        'Ce partage n’existe pas, ou n’existe plus',
        'L’adresse est peut-être incomplète, ou le partage a pris fin. Demandez un autre lien à qui vous l’a envoyé.',
      );
    case 'method_not_allowed':
      return said(
        'Un partage se lit, et ne reçoit rien',
        'Rien n’a été enregistré. Ouvrez l’adresse telle que vous l’avez reçue\u00a0: elle montre ce qui est partagé.',
      );
    default:
      return said('Ce partage ne s’ouvre pas pour l’instant', errorMessage(error));
  }
}

const day = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Europe/Paris',
});

/** `GET /partage/{token}`: what is shown, and until when; counted. */
export const showShare = withShare(
  { id: 'showShare', summary: 'Voir ce qui est partagé', answers: { 200: PAGE } },
  async ({ request, token, ctx, open }) => {
    const { id, shown, expiresAt } = await open('page');
    if (request.method !== 'HEAD') await countOpening(ctx, { shareId: id, what: 'views' });
    const until = `<p class="soft">Partagé avec vous jusqu’au ${ordinalDay(day, expiresAt)}, heure de Paris.</p>`;
    const requestId = ctx.requestId;
    if (shown.kind === 'space')
      return barePage({
        status: 200,
        title: shown.title,
        requestId,
        body: `${until}<pre>${escapeHtml(shown.context)}</pre>`,
      });
    return barePage({
      status: 200,
      title: 'Un fichier partagé avec vous',
      requestId,
      loads: "img-src 'self'; media-src 'self'; ",
      body: `${fileBody(shown, `/partage/${token}/fichier`)}${until}`,
    });
  },
);

function fileBody(file: SharedFile, address: string): string {
  const size = file.width && file.height ? ` width="${file.width}" height="${file.height}"` : '';
  const [family] = file.contentType.split('/');
  const media =
    family === 'image'
      ? `<img src="${address}" alt="Le fichier partagé"${size}>`
      : family === 'video'
        ? `<video src="${address}" controls preload="metadata"${size}></video>`
        : family === 'audio'
          ? `<audio src="${address}" controls preload="metadata"></audio>`
          : '';
  return `${media}<p><a class="action" href="${address}?download=1" download>Télécharger le fichier</a></p>`;
}

/** `GET /partage/{token}/fichier`: its bytes, under the headers that every file has. */
export const readSharedFile = withShare(
  { id: 'readSharedFile', summary: 'Lire le fichier partagé', answers: fileAnswers },
  async ({ request, ctx, open }) => {
    const { id, actor, shown } = await open('file');
    if (shown.kind !== 'file') throw shareNotFound();
    const { headers } = request;
    const asked: z.output<typeof fileHeaders> = {
      range: headers.get('range') ?? undefined,
      'if-range': headers.get('if-range') ?? undefined,
      'if-none-match': headers.get('if-none-match') ?? undefined,
    };
    const download = new URL(request.url).searchParams.get('download') === '1';
    const response = await servedFile({ ...ctx, actor }, request, {
      pathname: shown.pathname,
      asked,
      download,
    });
    if (download && response.status === 200 && request.method !== 'HEAD')
      await countOpening(ctx, { shareId: id, what: 'downloads' }).catch(async (error: unknown) => {
        // Nobody will read it: the store would otherwise keep it open for ever.
        await response.body?.cancel();
        throw error;
      });
    for (const [name, value] of Object.entries(UNKEPT)) response.headers.set(name, value);
    response.headers.set('Request-Id', ctx.requestId);
    return response;
  },
);
