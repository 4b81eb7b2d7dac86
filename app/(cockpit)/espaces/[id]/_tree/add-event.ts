/** The header's button asks the board to add a Memory with this event. */
export const ADD_EVENT = 'atelier:add-memory';
