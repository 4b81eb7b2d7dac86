/** A refusal in the shape that the `@vercel/blob` SDK turns into its own error classes. */
export class BlobRefusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

// The SDK recognises some refusals by their code and others by words of their message: both are part of the contract.
export const refusals = {
  badRequest: (message: string) => new BlobRefusal(400, 'bad_request', message),
  forbidden: () => new BlobRefusal(403, 'forbidden', 'Access denied'),
  publicOnPrivate: () =>
    new BlobRefusal(
      400,
      'bad_request',
      'Cannot use public access on a private store. The store is configured with private access.',
    ),
  clientTokenNotAllowed: () =>
    new BlobRefusal(403, 'client_token_not_allowed', 'This operation needs a read-write token.'),
  notFound: () => new BlobRefusal(404, 'not_found', 'The requested blob does not exist'),
  preconditionFailed: () =>
    new BlobRefusal(412, 'precondition_failed', 'Precondition failed: ETag mismatch.'),
  exists: () =>
    new BlobRefusal(
      400,
      'bad_request',
      'This blob already exists, use `allowOverwrite: true` if you want to overwrite it. Or `addRandomSuffix: true` to generate a unique filename.',
    ),
  tokenExpired: () => new BlobRefusal(403, 'forbidden', 'Token expired'),
  pathnameMismatch: () => new BlobRefusal(400, 'bad_request', '"pathname" does not match the token payload'),
  contentTypeNotAllowed: (type: string) =>
    new BlobRefusal(400, 'bad_request', `"contentType" ${type} is not allowed`),
  tooLarge: (bytes: number) =>
    new BlobRefusal(400, 'bad_request', `the file length cannot be greater than ${bytes} bytes`),
};
