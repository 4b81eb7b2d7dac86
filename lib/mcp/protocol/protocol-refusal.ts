import { ProtocolError } from '@modelcontextprotocol/server';
import { ERROR_CATALOG, type ServiceError } from '#lib/core/errors.ts';
import { errorMessage } from '#lib/messages/fr.ts';
import type { McpHost } from './host.ts';
import { INTERNAL_ERROR, INVALID_PARAMS, SERVER_ERROR } from './json-rpc.ts';
import { errorData } from './tool-error.ts';

/** A refusal of a resource, a prompt or a completion, in the protocol's own dialect; `uri` names the resource that was asked for. */
function protocolRefusal(error: ServiceError, uri?: string): ProtocolError {
  const { status } = ERROR_CATALOG[error.code];
  const code =
    status >= 500 ? INTERNAL_ERROR : status === 400 || status === 404 ? INVALID_PARAMS : SERVER_ERROR;
  return new ProtocolError(code, errorMessage(error), {
    ...errorData(error),
    ...(uri === undefined ? {} : { uri }),
  });
}

/** Runs the work of one such request; whatever it throws becomes its refusal. An aborted request is left to the protocol. */
export async function withProtocolErrors<T>(
  host: McpHost,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  uri?: string,
): Promise<T> {
  try {
    signal?.throwIfAborted();
    return await work();
  } catch (thrown) {
    signal?.throwIfAborted();
    throw protocolRefusal(host.refusal(thrown), uri);
  }
}
