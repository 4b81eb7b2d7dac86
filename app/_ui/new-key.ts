/**
 * A name that nothing else has, for one sending or one thing of a page: 128 bits of chance, at most 43 characters. A browser offers
 * `randomUUID` over https and at localhost alone, and a team may test a service over http.
 */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
