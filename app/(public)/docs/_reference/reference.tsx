import type { ReactNode } from 'react';
import type { openApiDocument } from '#lib/http/openapi/document.ts';
import { Operation, type OperationView } from './operation.tsx';

type ReferenceProps = {
  document: ReturnType<typeof openApiDocument>;
  /** Address of the document itself. */
  source: string;
  title: string;
  introduction: ReactNode;
  /** What comes between the contents and the first operation. */
  children?: ReactNode;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

function operationsOf({ document }: ReferenceProps): OperationView[] {
  const base = new URL(document.servers?.[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method): OperationView[] => {
      const operation = item?.[method] as OperationView['operation'] | undefined;
      return operation ? [{ method: method.toUpperCase(), path: base + path, operation }] : [];
    }),
  );
}

/** The page of an API, written from the document that programs read: nothing of an operation is said twice. */
export function Reference(props: ReferenceProps) {
  const { document, source, title, introduction, children } = props;
  const operations = operationsOf(props);
  const schemas = (document.components?.schemas ?? {}) as Record<string, never>;
  return (
    <main className="mx-auto flex max-w-4xl flex-col gap-10 px-4 py-10 md:px-8">
      <header className="flex flex-col gap-3">
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="max-w-prose text-ink-soft">{introduction}</p>
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
          <a href={source} className="text-accent-ink underline-offset-4 hover:underline">
            OpenAPI 3.1
          </a>
        </nav>
      </header>
      {children}
      {operations.map((view) => (
        <Operation key={view.operation.operationId} view={view} schemas={schemas} />
      ))}
    </main>
  );
}
