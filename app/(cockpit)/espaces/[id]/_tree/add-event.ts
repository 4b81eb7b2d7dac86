/** The header's button asks the board to add a Memory. */
export const ADD_EVENT = 'atelier:add-memory';
