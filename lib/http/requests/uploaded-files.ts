import { ServiceError } from '#lib/core/errors.ts';
import { readBytes } from './read-body.ts';

export type UploadForm = { files: { name: string; bytes: Uint8Array }[]; fields: Record<string, string> };

const MAX_FILES = 2_000;

/**
 * The files and texts of a multipart form, its bytes counted on the stream before anything is read of them. A file's name is its path in
 * the folder it came with. Errors: `payload_too_large` saying the limit in megabytes, `invalid` for a form that cannot be read.
 */
export async function readUploadForm(request: Request, maxBytes: number): Promise<UploadForm> {
  const bytes = await readBytes(request, maxBytes).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'payload_too_large') throw error;
    const limit = Math.floor(maxBytes / 1024 / 1024);
    throw new ServiceError('payload_too_large', {
      message: `L’envoi dépasse ${limit} Mo\u00a0: rien n’a été importé. Envoyez les fichiers en plusieurs fois.`,
    });
  });
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const form = await new Response(bytes as BodyInit, { headers }).formData().catch(() => {
    throw new ServiceError('invalid', {
      message: 'Cet envoi n’a pas pu être lu\u00a0: rien n’a été importé.',
    });
  });
  const result: UploadForm = { files: [], fields: {} };
  for (const [name, value] of form) {
    if (typeof value === 'string') result.fields[name] = value;
    else if (value.name !== '') {
      if (result.files.length === MAX_FILES)
        throw new ServiceError('invalid', {
          message: `L’envoi dépasse ${MAX_FILES} fichiers\u00a0: rien n’a été importé. Mettez-les dans une archive zip.`,
        });
      result.files.push({ name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) });
    }
  }
  return result;
}
