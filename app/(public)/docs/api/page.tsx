import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { env } from '#lib/core/env.ts';
import { openApiDocument } from '#lib/http/responses/openapi.ts';
import { Operation, type OperationView } from './operation.tsx';

export const metadata: Metadata = { title: 'API de contexte' };

const METHODS = ['get', 'post'] as const;

/** The public API's documentation, written from the document that programs read: nothing here is said twice. */
export default async function ApiDocumentation() {
  const host = (await headers()).get('host') ?? 'localhost';
  const origin = env().SERVICE_PUBLIC_URL ?? `http://${host}`;
  const document = openApiDocument(origin);
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method): OperationView[] => {
      const operation = item?.[method];
      return operation
        ? [{ method: method.toUpperCase(), path, operation: operation as OperationView['operation'] }]
        : [];
    }),
  );
  const schemas = (document.components?.schemas ?? {}) as Record<string, never>;
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-10 px-4 py-10 md:px-8">
      <header className="flex flex-col gap-3">
        <h1 className="text-xl font-semibold">API de contexte</h1>
        <p className="max-w-prose text-ink-soft">
          Un programme lit les espaces d’un compte, y ajoute une mémoire, demande un contexte prêt pour un
          prompt et cherche. Les corps sont en JSON&nbsp;; les erreurs sont en français.
        </p>
        <nav aria-label="Opérations" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {operations.map(({ operation }) => (
            <a
              key={operation.operationId}
              href={`#${operation.operationId}`}
              className="text-accent-ink underline-offset-4 hover:underline"
            >
              {operation.summary}
            </a>
          ))}
          <a href="/api/v1/openapi.json" className="text-accent-ink underline-offset-4 hover:underline">
            OpenAPI 3.1
          </a>
        </nav>
      </header>

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
            avec le même contenu, il rend la même mémoire&nbsp;; la clé n’expire pas.
          </li>
          <li>
            Toute erreur a la forme{' '}
            <code className="font-mono text-sm">{'{"error":{"code","message"}}'}</code>&nbsp;; citez l’en-tête
            Request-Id dans toute question.
          </li>
        </ul>
      </section>

      {operations.map((view) => (
        <Operation key={view.operation.operationId} view={view} schemas={schemas} />
      ))}
    </main>
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
