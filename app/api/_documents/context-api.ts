import { openApiDocument } from '#lib/http/openapi/document.ts';
import * as fileContent from '../v1/files/[id]/content/route.ts';
import * as file from '../v1/files/[id]/route.ts';
import * as files from '../v1/files/route.ts';
import * as generation from '../v1/generations/[id]/route.ts';
import * as generations from '../v1/generations/route.ts';
import * as memory from '../v1/memories/[id]/route.ts';
import * as projects from '../v1/projects/route.ts';
import * as quota from '../v1/quota/route.ts';
import * as search from '../v1/search/route.ts';
import * as context from '../v1/spaces/[id]/context/route.ts';
import * as memories from '../v1/spaces/[id]/memories/route.ts';
import * as space from '../v1/spaces/[id]/route.ts';
import * as spaces from '../v1/spaces/route.ts';
import * as wallet from '../v1/wallet/route.ts';

/** The routes of `/api/v1`, in the order in which they are read about. */
const ROUTES = {
  '/spaces': spaces,
  '/spaces/{id}': space,
  '/spaces/{id}/memories': memories,
  '/spaces/{id}/context': context,
  '/memories/{id}': memory,
  '/search': search,
  '/quota': quota,
  '/projects': projects,
  '/generations': generations,
  '/generations/{id}': generation,
  '/files': files,
  '/files/{id}': file,
  '/files/{id}/content': fileContent,
  '/wallet': wallet,
};

/** The public API's OpenAPI document, derived from what its routes declare. */
export function contextApiDocument(origin: string) {
  return openApiDocument({
    origin,
    base: '/api/v1',
    title: 'Atelier\u00a0: API de contexte',
    description:
      'Lire les espaces d’un compte, y ajouter une mémoire, assembler un contexte prêt pour un prompt, chercher, suivre le quota\u00a0; demander une génération au Studio, lire son journal, ses fichiers et le solde.\n\n' +
      'Limites\u00a0: 120 requêtes par minute et par identifiants, dont 20 écritures. Les erreurs sont en français.',
    documentation: '/docs/api',
    routes: ROUTES,
  });
}
