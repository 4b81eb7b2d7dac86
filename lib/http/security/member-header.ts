/** Header in which a page of the cockpit says for which member it was drawn, on every request that its scripts make. */
export const MEMBER_HEADER = 'atelier-member';
