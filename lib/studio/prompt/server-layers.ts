/** Layers of a prompt that only the server may set: whoever sends one reads that it was ignored. */
export const SERVER_LAYERS = ['system', 'rules', 'connectors'] as const;
export type ServerLayer = (typeof SERVER_LAYERS)[number];
