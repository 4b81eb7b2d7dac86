/**
 * A unique key for one submission or one item of a page: 128 random bits, at most 43 characters. Not `randomUUID`, which a browser offers over https
 * and at localhost only, while a team may test a service over http.
 */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
