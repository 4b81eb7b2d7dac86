/**
 * The part of an address that every account has: without its first identifier, of the path or of the query, and what follows. A row of one
 * account is, in another, a page that does not exist.
 */
export const knownAddress = (href: string): string => href.replace(/(\/|\?[^#]*)[a-z]{3}_[\da-z]{26}.*/, '');
