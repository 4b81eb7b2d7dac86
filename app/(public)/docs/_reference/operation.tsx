import { type Schema, SchemaFields } from './schema-fields.tsx';
import { words } from './words.tsx';

type Parameter = { in: string; name: string; required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema: Schema }> };

export type OperationView = {
  method: string;
  path: string;
  operation: {
    operationId: string;
    summary: string;
    description: string;
    parameters?: Parameter[];
    requestBody?: Content;
    responses: Record<string, Content & { description: string }>;
  };
};

/** One operation: what it does, what it takes, what it answers, how it refuses. */
export function Operation({ view, schemas }: { view: OperationView; schemas: Record<string, Schema> }) {
  const { method, path, operation } = view;
  const answers = Object.entries(operation.responses).filter(([status]) => status < '400');
  const refusals = Object.entries(operation.responses).filter(([status]) => status >= '400');
  const parameters = operation.parameters ?? [];
  const body = schemaOf(operation.requestBody);
  return (
    <section
      id={operation.operationId}
      aria-labelledby={`${operation.operationId}-titre`}
      className="flex flex-col gap-4 border-line border-t pt-8"
    >
      <div className="flex flex-col gap-2">
        <h2 id={`${operation.operationId}-titre`} className="text-lg font-semibold">
          {operation.summary}
        </h2>
        <p className="overflow-x-auto font-mono text-sm">
          <span className="font-semibold text-accent-ink">{method}</span> {path}
        </p>
        {operation.description.split('\n\n').map((paragraph) => (
          <p key={paragraph} className="max-w-prose text-ink-soft">
            {words(paragraph)}
          </p>
        ))}
      </div>
      {parameters.length > 0 && (
        <SchemaFields
          title="Paramètres"
          schemas={schemas}
          fields={parameters.map(({ name, required, schema, in: place }) => ({
            name,
            required: required ?? false,
            schema,
            note: PLACES[place],
          }))}
        />
      )}
      {body && <SchemaFields title="Corps" schemas={schemas} schema={body} />}
      {answers.map(([status, { description, content }]) => {
        const schema = content?.['application/json']?.schema;
        const files = content && !schema ? Object.keys(content).join(' ou ') : undefined;
        return schema ? (
          <SchemaFields
            key={status}
            title={`Réponse ${status}`}
            note={description}
            schemas={schemas}
            schema={schema}
          />
        ) : (
          <p key={status} className="text-sm">
            <span className="font-semibold">Réponse {status}</span>{' '}
            <span className="text-ink-soft">
              {words(description)} {files && <code className="font-mono text-sm">{files}</code>}
            </span>
          </p>
        );
      })}
      <details className="rounded-md border border-line bg-surface px-4 py-3">
        <summary className="cursor-pointer font-medium text-sm">Erreurs possibles</summary>
        <dl className="mt-3 flex flex-col gap-2 text-sm">
          {refusals.map(([status, { description }]) => (
            <div key={status} className="grid grid-cols-[3rem_1fr] gap-3">
              <dt className="font-mono tabular-nums">{status}</dt>
              <dd className="flex flex-col gap-1 text-ink-soft">
                {description.split('\n\n').map((line) => (
                  <span key={line}>{words(line)}</span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** Of a body, whatever its type; a body has one. */
const schemaOf = (content: Content | undefined) => Object.values(content?.content ?? {})[0]?.schema;

const PLACES: Record<string, string> = {
  path: 'dans l’adresse',
  query: 'dans la requête',
  header: 'en-tête',
};
