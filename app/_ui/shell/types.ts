import type { MemberRole, Permission } from '#lib/core/actor.ts';
import type { Theme } from '../theme.ts';

/** What the shell shows of the account and the member; `getShell(ctx)` makes it. */
export type ShellData = {
  account: { name: string };
  member: { name: string; email: string; role: MemberRole };
  /** Rights held in effect. */
  permissions: readonly Permission[];
  /** Reads of the current UTC month. */
  reads: { used: number; total: number; resetsAt: Date };
  /** Null when the account has no wallet yet. */
  balance: { availableMicros: bigint } | null;
};

export type ShellProps = ShellData & {
  theme: Theme;
  /** Server action that ends the session and goes to the sign-in page. */
  signOut: () => Promise<void>;
};
