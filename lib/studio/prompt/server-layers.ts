/** Layers of a prompt that only the server may set: whoever sends one reads that it was ignored. */
const SERVER_LAYERS = ['system', 'rules', 'connectors'] as const;
export type ServerLayer = (typeof SERVER_LAYERS)[number];

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Those of them that a request brought, in their order; an empty one was not brought. */
export function ignoredLayersOf(request: { [layer in ServerLayer]?: unknown }): ServerLayer[] {
  return SERVER_LAYERS.filter((layer) => isGiven(request[layer]));
}
