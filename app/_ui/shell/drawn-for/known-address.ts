/**
 * The part of an address that exists in every account: what comes before its first identifier, in the path or in the query. A row of one account is a
 * missing page in another.
 */
export const knownAddress = (href: string): string => href.replace(/(\/|\?[^#]*)[a-z]{3}_[\da-z]{26}.*/, '');
