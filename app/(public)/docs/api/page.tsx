import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { contextApiDocument } from '#app/api/_documents/context-api.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { Reference } from '../_reference/reference.tsx';

export const metadata: Metadata = { title: 'API de contexte' };

/** The public API's documentation. */
export default async function ApiDocumentation() {
  const origin = pageOrigin(await headers());
  return (
    <Reference
      document={contextApiDocument(origin)}
      source="/api/v1/openapi.json"
      title="API de contexte"
      introduction={
        <>
          Un programme lit les espaces d’un compte, y ajoute une mémoire, demande un contexte prêt pour un
          prompt et cherche. Les corps sont en JSON&nbsp;; les erreurs sont en français.
        </>
      }
    >
      <section className="flex flex-col gap-3" aria-labelledby="premier-appel">
        <h2 id="premier-appel" className="text-lg font-semibold">
          Premier appel
        </h2>
        <p className="max-w-prose text-ink-soft">
          Créez une clé dans Développeurs&nbsp;; elle commence par{' '}
          <code className="font-mono text-sm">atl_</code> et n’est montrée qu’une fois. Elle se donne dans
          l’en-tête <code className="font-mono text-sm">Authorization</code>, jamais dans l’adresse.
        </p>
        <CodeBlock label="Premier appel" samples={firstCall(`${origin}/api/v1`)} />
      </section>

      <section className="flex flex-col gap-3" aria-labelledby="regles">
        <h2 id="regles" className="text-lg font-semibold">
          Règles communes
        </h2>
        <ul className="flex max-w-prose list-disc flex-col gap-2 pl-5 text-ink-soft">
          <li>
            120 requêtes par minute et par identifiants, dont 20 écritures&nbsp;; les en-têtes RateLimit
            disent où vous en êtes.
          </li>
          <li>
            Une lecture réussie coûte une lecture du mois&nbsp;; le quota, les projets, les ajouts et les
            réponses 304 ne coûtent rien.
          </li>
          <li>
            Un ajout porte un en-tête <code className="font-mono text-sm">Idempotency-Key</code>&nbsp;: rejoué
            avec le même contenu, il rend la même mémoire&nbsp;; la clé vaut tant que la mémoire n’est pas
            effacée, 30 jours après sa suppression.
          </li>
          <li>
            Toute erreur a la forme{' '}
            <code className="font-mono text-sm">{'{"error":{"code","message"}}'}</code>&nbsp;; citez l’en-tête
            Request-Id dans toute question.
          </li>
        </ul>
      </section>
    </Reference>
  );
}

function firstCall(base: string) {
  return [
    { label: 'curl', code: `curl -H "Authorization: Bearer $ATELIER_KEY" ${base}/spaces` },
    {
      label: 'JavaScript',
      code: `const answer = await fetch('${base}/spaces', {\n  headers: { Authorization: \`Bearer \${process.env.ATELIER_KEY}\` },\n});\nconst { data } = await answer.json();`,
    },
    {
      label: 'Python',
      code: `import os, requests\n\nanswer = requests.get(\n    "${base}/spaces",\n    headers={"Authorization": f"Bearer {os.environ['ATELIER_KEY']}"},\n)\nspaces = answer.json()["data"]`,
    },
  ];
}
