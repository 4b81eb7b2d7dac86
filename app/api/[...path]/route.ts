import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { baseHeaders, errorResponse } from '#lib/http/responses/respond.ts';

async function notFound(): Promise<Response> {
  const error = new ServiceError('not_found', { message: 'Cette adresse n’existe pas dans l’API.' });
  return errorResponse(error, baseHeaders(createId('request')));
}

export { notFound as DELETE, notFound as GET, notFound as PATCH, notFound as POST, notFound as PUT };
