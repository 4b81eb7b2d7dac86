import type { z } from 'zod';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { fileHeaders } from '#lib/storage/schemas.ts';
import { openDeliveredFile } from '#lib/studio/journal/open-delivered-file.ts';
import { DECLARED_LENGTH } from '../responses/declared-length.ts';
import { withFiles } from '../runtime/files.ts';
import { withStudio } from '../runtime/studio.ts';

/** What a route that serves a file answers. */
export const fileAnswers = {
  200: { description: 'Le fichier', contentType: '*/*' },
  206: {
    description: 'Une plage du fichier',
    contentType: '*/*',
    headers: { 'Content-Range': 'Ce que cette réponse contient, `bytes 0-1023/4096`' },
  },
  304: { description: 'Votre copie (`If-None-Match`) est à jour.' },
  416: {
    description: 'Aucune partie du fichier n’est dans la plage demandée.',
    headers: { 'Content-Range': 'La taille du fichier, `bytes */4096`' },
  },
} as const;

/** A private file of the account, whole, by a range, or current already, as the request asks. Errors: `not_found`, `not_configured`. */
export async function servedFile(
  ctx: Context<AccountActor>,
  request: Request,
  {
    asked,
    ...file
  }: {
    pathname: string;
    asked: z.output<typeof fileHeaders>;
    download: boolean;
    thumbnail?: boolean | 'bin';
  },
): Promise<Response> {
  const { status, headers, body } = await openDeliveredFile(
    { ...withStudio(ctx, request), ...withFiles(ctx) },
    {
      ...file,
      range: asked.range ?? null,
      ifRange: asked['if-range'] ?? null,
      ifNoneMatch: asked['if-none-match'] ?? null,
      withoutBody: request.method === 'HEAD',
      signal: request.signal,
    },
  );
  const length = headers['Content-Length'];
  return new Response(body, {
    status,
    headers: { ...headers, ...(length === undefined ? {} : { [DECLARED_LENGTH]: length }) },
  });
}
