type Named = { id: string; name: string };

/**
 * What a field offers, and what was chosen and is offered no more, under `gone`: a field without it would show another in its place,
 * which is not what is sent, and which no press could choose.
 */
export const withChosen = (offered: readonly Named[], chosen: string, gone: string): readonly Named[] =>
  chosen === '' || offered.some(({ id }) => id === chosen)
    ? offered
    : [...offered, { id: chosen, name: gone }];
