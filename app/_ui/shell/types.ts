import type { MemberRole, Permission } from '#lib/core/actor.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';

/** What the shell shows of the account and the member; `getShell(ctx)` makes it. */
export type ShellData = {
  account: { name: string };
  /** `id`: for whom the page is drawn; empty for nobody. */
  member: { id: string; name: string; email: string; role: MemberRole };
  /** The other accounts of the same person, by the person's member there. */
  otherAccounts: { memberId: string; name: string }[];
  /** Whether an invitation to another account waits for an answer. */
  isInvited: boolean;
  /** Rights held in effect. */
  permissions: readonly Permission[];
  /** Whether who writes creates Spaces too: not who was given some. */
  createsSpaces: boolean;
  /** Generations of the last month with a file that nobody judged yet, 100 at most; 0 for who decides nothing. */
  toReview: number;
  /** Reads of the current UTC month. */
  reads: { used: number; total: number; resetsAt: Date };
  /** Null when the account has no wallet yet. */
  balance: { availableMicros: bigint; daysLeft?: number | null } | null;
};

export type ShellProps = ShellData & {
  /** Server action that ends the session and goes to the sign-in page. */
  signOut: () => Promise<void>;
  /** Server action that goes on in another account of the person. */
  switchAccount: (input: { memberId: string }) => Promise<ActionState>;
};
