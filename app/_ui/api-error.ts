/** The refusal in an answer of our own routes. */
export type ApiRefusal = {
  code: string;
  message: string;
  detail?: string;
  subject?: string;
  problems?: { field: string; message: string }[];
  requestId?: string;
};

/** A refusal, or a network failure (status 0, code `network`), with the French sentence to show. */
export class ApiError extends Error {
  readonly refusal: ApiRefusal;
  readonly status: number;
  constructor(status: number, refusal: ApiRefusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

/** What to show of a failure: its sentence, and the identifier of the request if there is one. */
export type Failure = { message: string; requestId?: string | undefined };

/** Turns any thrown value into what to show. Anything but an `ApiError` gets the sentence `otherwise`. */
export function failureOf(error: unknown, otherwise: string): Failure {
  return error instanceof ApiError
    ? { message: error.message, requestId: error.refusal.requestId }
    : { message: otherwise };
}

/** Reads the refusal in an answer of our own routes; the identifier of the request may be `requestId`, `request_id` or a header. */
export function refusalOf(response: Response, body: unknown, otherwise: string): ApiError {
  const { error } = (body ?? {}) as { error?: Partial<ApiRefusal> & { request_id?: string } };
  const requestId =
    error?.requestId ?? error?.request_id ?? response.headers.get('x-request-id') ?? undefined;
  return new ApiError(response.status, {
    ...error,
    code: error?.code ?? 'internal-error',
    message: error?.message ?? otherwise,
    ...(requestId ? { requestId } : {}),
  });
}
