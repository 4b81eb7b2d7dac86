import { ServiceError } from '#lib/core/errors.ts';
import { readBytes } from './read-body.ts';

/**
 * The bytes of a multipart form, counted on the stream; what they say is read apart. Errors: `payload_too_large` saying the limit in
 * megabytes.
 */
export async function readUploadBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  return readBytes(request, maxBytes).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'payload_too_large') throw error;
    const limit = Math.floor(maxBytes / 1024 / 1024);
    throw new ServiceError('payload_too_large', {
      message: `L’envoi dépasse ${limit} Mo\u00a0: rien n’a été importé. Envoyez les fichiers en plusieurs fois.`,
    });
  });
}
