type Named = { id: string; name: string };

/**
 * The options of a field, with the chosen one named `gone` if it is no longer offered: without it, the field would show another option than the one
 * that is sent.
 */
export const withChosen = (offered: readonly Named[], chosen: string, gone: string): readonly Named[] =>
  chosen === '' || offered.some(({ id }) => id === chosen)
    ? offered
    : [...offered, { id: chosen, name: gone }];
