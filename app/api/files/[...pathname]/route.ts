import { withMember } from '#lib/http/middleware/with-member.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { decodePathname } from '#lib/storage/pathnames.ts';
import { fileGone } from '#lib/storage/refusals.ts';
import { openFile } from '#lib/storage/serving/open-file.ts';

const PREFIX = '/api/files/';

/** Private files, to the members of their account. The path is read from the address itself, decoded once. */
const give = withMember({
  async handle(ctx, { request }) {
    const url = new URL(request.url);
    const pathname = decodePathname(url.pathname.slice(PREFIX.length));
    if (pathname === null) throw fileGone('');
    const { status, headers, body } = await openFile(withFiles(ctx), {
      pathname,
      range: request.headers.get('range'),
      ifRange: request.headers.get('if-range'),
      ifNoneMatch: request.headers.get('if-none-match'),
      download: url.searchParams.get('download') === '1',
      withoutBody: request.method === 'HEAD',
      signal: request.signal,
    });
    return new Response(body, { status, headers });
  },
});

type Context = { params: Promise<{ pathname: string[] }> };

export function GET(request: Request, _context: Context): Promise<Response> {
  return give(request, { params: Promise.resolve({}) });
}
export const HEAD = GET;
