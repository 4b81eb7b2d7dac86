import type { MemberRole, Permission } from '#lib/core/actor.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';

/** What the shell shows of the account and the member, as `getShell(ctx)` returns it. */
export type ShellData = {
  account: { name: string };
  /** `id` is the member for whom the page is drawn; empty for none. */
  member: { id: string; name: string; email: string; role: MemberRole };
  /** The other accounts of the same person, by the person's member in each. One more than `ACCOUNTS_LISTED`: there are others. */
  otherAccounts: { memberId: string; name: string }[];
  /** Whether an invitation to another account is waiting for an answer. */
  isInvited: boolean;
  /** The member's effective permissions. */
  permissions: readonly Permission[];
  /** Whether the member may also create Spaces: not one whose access is limited to some of them. */
  createsSpaces: boolean;
  /** Generations of the last 31 days with a file that nobody has judged, at most 100; 0 for a member who may not judge. */
  toReview: number;
  /** The reads of the current UTC month; `resetsAt` is the start of the next one. */
  reads: { used: number; total: number; resetsAt: Date };
  /** The member's wallet; null if they have none yet. `daysLeft` is set if the balance lasts less than a week at the pace of the month. */
  balance: { availableMicros: bigint; daysLeft?: number | null } | null;
};

export type ShellProps = ShellData & {
  /** Server action: ends the session and leads to the sign-in page. */
  signOut: () => Promise<void>;
  /** Server action: switches to another account of the same person. */
  switchAccount: (input: { memberId: string }) => Promise<ActionState>;
};
