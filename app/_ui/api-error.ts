/** What a refused call of our own routes says. */
export type ApiRefusal = {
  code: string;
  message: string;
  detail?: string;
  subject?: string;
  problems?: { field: string; message: string }[];
  requestId?: string;
};

/** A refusal, or a network that failed (status 0, code `network`), with the French sentence to show. */
export class ApiError extends Error {
  readonly refusal: ApiRefusal;
  readonly status: number;
  constructor(status: number, refusal: ApiRefusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

/** What to show of something that could not be done: its sentence, and the request to cite when there was one. */
export type Failure = { message: string; requestId?: string | undefined };

/** Turns anything thrown into what to show; what is not a refusal of ours gets the sentence given. */
export function failureOf(error: unknown, otherwise: string): Failure {
  return error instanceof ApiError
    ? { message: error.message, requestId: error.refusal.requestId }
    : { message: otherwise };
}

/** Reads the refusal that a response of ours carries, in either spelling of the request's identifier. */
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
