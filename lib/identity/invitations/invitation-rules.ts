/** An invitation can be accepted for so long. */
export const INVITATION_LIFETIME_MS = 7 * 86_400_000;
/** Invitations that one account may send in 24 hours: enough for a team, too few to send strangers mail in our name. */
export const INVITATIONS_PER_DAY = 20;
