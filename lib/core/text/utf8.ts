/** Bytes as text, a byte order mark dropped. Errors: `TypeError` for what is not UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Bytes as the JSON that they hold. Errors: `TypeError` for what is not UTF-8, `SyntaxError` for what is not JSON. */
export function utf8Json(bytes: Uint8Array): unknown {
  return JSON.parse(utf8Text(bytes));
}
