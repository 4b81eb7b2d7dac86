import { declarationOf } from '#lib/http/routes/declaration.ts';
import { undeclared } from '#tests/setup/declared-answer.ts';
import { startHttpServer } from '#tests/setup/http/http-server.ts';
import { discoverRoutes } from '../../api/hostile/routes.ts';

type ServedAnswer = { operationId: string; status: number; fault: string | null };

/** Serves the app's route handlers on a local port, and records each answer with what is wrong with it compared with its declaration. */
export async function serveRoutes() {
  const routes = (await discoverRoutes()).map((route) => ({ ...route, ...matcherOf(route.pattern) }));
  routes.sort((a, b) => a.rank - b.rank);
  const answers: ServedAnswer[] = [];
  const server = await startHttpServer(async (request) => {
    const { pathname } = new URL(request.url);
    const route = routes.find((one) => one.method === request.method && one.shape.test(pathname));
    if (!route) return new Response(null, { status: 404 });
    const values = route.shape.exec(pathname)?.slice(1) ?? [];
    const params = Object.fromEntries(
      route.params.map(({ name, isCatchAll }, index) => {
        const parts = (values[index] ?? '').split('/').map(decodeURIComponent);
        return [name, isCatchAll ? parts : (parts[0] as string)];
      }),
    );
    Object.defineProperty(request, 'nextUrl', { value: new URL(request.url) });
    const response = await route.handler(request, { params: Promise.resolve(params) });
    const { status, headers } = response;
    const bytes = Buffer.from(await response.arrayBuffer());
    const fault = undeclared(route.handler, { status, headers, text: bytes.toString() });
    const operationId = declarationOf(route.handler)?.id ?? route.pattern;
    answers.push({ operationId, status, fault });
    return new Response(bytes.length > 0 ? bytes : null, { status, headers });
  });
  return { ...server, answers };
}

/** The shape of an address. If two fit, the one with more literal segments comes first. */
function matcherOf(pattern: string): { shape: RegExp; rank: number } {
  const segments = pattern.split('/').slice(1);
  const source = segments.map((segment) => {
    if (/^\[{1,2}\.{3}/.test(segment)) return '(.+)';
    return segment.startsWith('[') ? '([^/]+)' : segment.replaceAll('.', '\\.');
  });
  const spelled = segments.filter((segment) => !segment.startsWith('[')).length;
  return { shape: new RegExp(`^/${source.join('/')}$`), rank: -spelled };
}
