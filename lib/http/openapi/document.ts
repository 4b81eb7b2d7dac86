import { createDocument } from 'zod-openapi';
import { type BoundDeclaration, declarationOf } from '../routes/declaration.ts';
import { operationOf } from './operation.ts';
import { securitySchemes } from './security.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The handlers of one path, as its route file exports them. */
type RouteModule = Partial<Record<Uppercase<(typeof METHODS)[number]>, unknown>>;

type DocumentInput = {
  origin: string;
  /** Path before every address of the document. */
  base: string;
  title: string;
  description: string;
  /** Page that shows the document to people. */
  documentation: string;
  /** Route modules by the path that the document gives them. */
  routes: Record<string, RouteModule>;
};

/** An OpenAPI document of some routes: every operation, parameter, answer and refusal is what the route declares. */
export function openApiDocument(input: DocumentInput) {
  const { origin, base, documentation, routes } = input;
  const operations = Object.entries(routes).map(
    ([path, module]) =>
      [
        path,
        METHODS.flatMap((method) => {
          const declaration = declarationOf(module[method.toUpperCase() as keyof RouteModule]);
          return declaration ? [{ method, declaration }] : [];
        }),
      ] as const,
  );
  const all = operations.flatMap(([, methods]) => methods.map(({ declaration }) => declaration));
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: input.title,
      version: 'v1',
      description: input.description,
      contact: { name: 'Atelier', url: `${origin}${documentation}` },
    },
    externalDocs: { description: 'La documentation, à lire', url: `${origin}${documentation}` },
    servers: [{ url: `${origin}${base}` }],
    tags: tagsOf(all),
    components: { securitySchemes: securitySchemes(all, origin) },
    paths: Object.fromEntries(
      operations.map(([path, methods]) => [
        path,
        Object.fromEntries(methods.map(({ method, declaration }) => [method, operationOf(declaration)])),
      ]),
    ),
  });
}

const tagsOf = (declarations: readonly BoundDeclaration[]) =>
  [...new Set(declarations.map(({ tag }) => tag))].map((name) => ({ name }));
