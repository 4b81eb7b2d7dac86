import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { studioApiDocument } from '#app/api/_documents/studio-api.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { Reference } from '../_reference/reference.tsx';

export const metadata: Metadata = { title: 'API du Studio' };

/** The documentation of what a signed-in member's programs call. */
export default async function StudioDocumentation() {
  return (
    <Reference
      document={studioApiDocument(pageOrigin(await headers()))}
      source="/api/openapi.json"
      title="API du Studio"
      introduction={
        <>
          Demander une génération, suivre le journal, envoyer une référence, relire un fichier, entendre une
          voix, exporter. Ces adresses demandent la session d’un membre&nbsp;; les montants sont en dollars.
        </>
      }
    />
  );
}
