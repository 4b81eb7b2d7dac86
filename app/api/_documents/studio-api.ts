import * as auditExport from '#app/(cockpit)/audit/export/route.ts';
import { openApiDocument } from '#lib/http/openapi/document.ts';
import * as spaceExport from '../brain/spaces/[id]/export/route.ts';
import * as accountExport from '../exports/[id]/route.ts';
import * as file from '../files/[...pathname]/route.ts';
import * as captions from '../generations/[id]/captions/route.ts';
import * as relaunch from '../generations/[id]/relaunch/route.ts';
import * as generation from '../generations/[id]/route.ts';
import * as preview from '../generations/preview/route.ts';
import * as generations from '../generations/route.ts';
import * as imageUpload from '../references/images/route.ts';
import * as upload from '../references/upload/route.ts';
import * as templateCheck from '../templates/[id]/check/route.ts';
import * as templateExample from '../templates/[id]/example/route.ts';
import * as templatePreview from '../templates/[id]/preview/route.ts';
import * as templates from '../templates/route.ts';
import * as voicePreview from '../voice-desk/preview/[voiceId]/route.ts';
import * as voiceDesk from '../voice-desk/route.ts';
import * as wallet from '../wallet/route.ts';
import * as statement from '../wallet/statement/route.ts';

/** The routes that members' programs call, in the order in which they are read about. */
const ROUTES = {
  '/api/generations': generations,
  '/api/generations/preview': preview,
  '/api/generations/{id}': generation,
  '/api/generations/{id}/relaunch': relaunch,
  '/api/generations/{id}/captions': captions,
  '/api/references/images': imageUpload,
  '/api/references/upload': upload,
  '/api/files/{pathname}': file,
  '/api/templates': templates,
  '/api/templates/{id}/example': templateExample,
  '/api/templates/{id}/check': templateCheck,
  '/api/templates/{id}/preview': templatePreview,
  '/api/voice-desk': voiceDesk,
  '/api/voice-desk/preview/{voiceId}': voicePreview,
  '/api/wallet': wallet,
  '/api/wallet/statement': statement,
  '/api/brain/spaces/{id}/export': spaceExport,
  '/audit/export': auditExport,
  '/api/exports/{id}': accountExport,
};

/** The Studio's OpenAPI document, derived from what its routes declare. */
export function studioApiDocument(origin: string) {
  return openApiDocument({
    origin,
    base: '',
    title: 'Atelier\u00a0: API du Studio',
    description:
      'Demander une génération, suivre le journal, envoyer une référence, relire un fichier, la voix, le relevé et les exports.\n\n' +
      'Ces adresses se lisent avec la session d’un membre (un cookie), ou avec une clé ou un jeton qui porte le droit dit à chacune. Tout montant est en dollars\u00a0; les erreurs sont en français, et disent ce qui n’a pas été débité.',
    documentation: '/docs/studio',
    routes: ROUTES,
  });
}
