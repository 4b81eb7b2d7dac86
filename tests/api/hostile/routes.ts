import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { undeclared } from '#tests/setup/declared-answer.ts';

export type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string | string[]>> },
) => Promise<Response>;

export type Route = {
  /** `/api/v1/spaces/[id]`. */
  pattern: string;
  method: string;
  handler: Handler;
  /** Names in brackets; a catch-all is marked. */
  params: { name: string; isCatchAll: boolean }[];
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every route handler of the app, read from the files: a route that is added is attacked without anyone adding it here. */
export async function discoverRoutes(methods: readonly string[] = METHODS): Promise<Route[]> {
  const root = path.join(repositoryRoot, 'app');
  const files = (await readdir(root, { recursive: true }))
    .filter((file) => path.basename(file) === 'route.ts')
    .sort();
  const routes: Route[] = [];
  for (const file of files) {
    const folder = path.dirname(file).split(path.sep);
    const pattern = `/${folder.filter((part) => !part.startsWith('(')).join('/')}`;
    const params = [...pattern.matchAll(/\[{1,2}(\.{3})?(\w+)\]{1,2}/g)].map(([, dots, name]) => ({
      name: name as string,
      isCatchAll: dots !== undefined,
    }));
    const module = (await import(pathToFileURL(path.join(root, file)).href)) as Record<
      string,
      Handler | undefined
    >;
    for (const method of methods) {
      const handler = module[method];
      if (handler) routes.push({ pattern, method, handler, params });
    }
  }
  return routes;
}

export type RouteCall = {
  params?: Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
  body?: BodyInit | null;
};

/** Calls a handler as Next would, with the values of its path. */
export async function callRoute(
  route: Route,
  call: RouteCall,
): Promise<{ status: number; text: string; headers: Headers }> {
  const values = call.params ?? {};
  const pathname = route.pattern.replace(/\[{1,2}(\.{3})?(\w+)\]{1,2}/g, (_, dots, name: string) => {
    const value = values[name] ?? 'x';
    return dots ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
  const request = new Request(`http://atelier.test${pathname}${call.query ?? ''}`, {
    method: route.method,
    headers: { host: 'atelier.test', ...call.headers },
    ...(route.method === 'GET' ? {} : { body: call.body ?? null }),
    redirect: 'manual',
  });
  // Next's own request has its parsed address beside the standard members.
  Object.defineProperty(request, 'nextUrl', { value: new URL(request.url) });
  const params = Object.fromEntries(
    route.params.map(({ name, isCatchAll }) => [
      name,
      isCatchAll ? (values[name] ?? 'x').split('/') : (values[name] ?? 'x'),
    ]),
  );
  const response = await route.handler(request, { params: Promise.resolve(params) });
  const answer = { status: response.status, text: await response.text(), headers: response.headers };
  expect(undeclared(route.handler, answer)).toBeNull();
  return answer;
}
