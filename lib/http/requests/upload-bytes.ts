import { ServiceError } from '#lib/core/errors.ts';
import { withLargeBody } from './large-body.ts';

/**
 * The bytes of an account's multipart form, counted on the stream, for `work`; what they say is read apart. Errors: `payload_too_large` saying
 * the limit in megabytes, `rate_limited`.
 */
export async function withUploadBytes<T>(
  request: Request,
  options: { accountId: string; maxBytes: number },
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  return withLargeBody(request, options, work).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== 'payload_too_large') throw error;
    const limit = Math.floor(options.maxBytes / 1024 / 1024);
    throw new ServiceError('payload_too_large', {
      message: `L’envoi dépasse ${limit}\u00a0Mo\u00a0: rien n’a été importé. Envoyez les fichiers en plusieurs fois.`,
    });
  });
}
