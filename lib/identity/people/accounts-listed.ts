/** How many accounts of a person a list shows at once. One more than these are read: it tells whether there are others. */
export const ACCOUNTS_LISTED = 50;
