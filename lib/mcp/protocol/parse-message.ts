import { utf8Json } from '#lib/core/text/utf8.ts';
import { asksBeyondList, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, withoutNulls } from './json-rpc.ts';

/** A message as it was sent. `bytes`: what the protocol is given of it. `fault`: why it is refused, in French. */
export type Message = { value: unknown; bytes: Uint8Array } & Partial<MessageFault>;
type MessageFault = { fault: string; code: number; status: number; field: string };

/** Reads the body of a request as one JSON-RPC message, with the nulls left out that `withoutNulls` leaves out. */
export function parseMessage(bytes: Uint8Array): Message {
  let value: unknown;
  try {
    value = utf8Json(bytes);
  } catch {
    return { value: null, bytes, fault: 'Le corps n’est pas du JSON valide en UTF-8.', code: PARSE_ERROR };
  }
  if (Array.isArray(value))
    return {
      value: null,
      bytes,
      fault: 'Un seul message par requête\u00a0: les lots ne sont pas acceptés.',
      code: INVALID_REQUEST,
    };
  if (asksBeyondList(value)) {
    const fault = 'Cette liste est entière\u00a0: aucun curseur ne la continue.';
    // A sound message is answered, as the protocol answers a cursor that it does not know: several clients end their session at a status.
    return { value, bytes, fault, code: INVALID_PARAMS, status: 200, field: 'cursor' };
  }
  return Buffer.from(bytes).includes('null') ? written(withoutNulls(value), bytes) : { value, bytes };
}

/** A changed message, serialised again. One nested too deep to serialise is passed on as received, for the protocol to judge. */
function written(value: unknown, bytes: Uint8Array): Message {
  try {
    return { value, bytes: Buffer.from(JSON.stringify(value)) };
  } catch {
    return { value, bytes };
  }
}
