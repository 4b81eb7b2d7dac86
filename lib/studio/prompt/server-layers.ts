/** Layers of a prompt that only the server may set: whoever sends one reads that it was ignored. */
const SERVER_LAYERS = ['system', 'rules', 'connectors'] as const;
export type ServerLayer = (typeof SERVER_LAYERS)[number];

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The layers of the server that a request brought all the same, in their order; an empty one was not brought. */
export function ignoredLayersOf(request: { [layer in ServerLayer]?: unknown }): ServerLayer[] {
  return SERVER_LAYERS.filter((layer) => isGiven(request[layer]));
}
