import type { LedgerKind } from '#lib/db/generated/tables.ts';

/** What each line of the ledger is, on a page and in an exported statement. */
export const LINE_LABELS: Readonly<Record<LedgerKind, string>> = {
  GRANT: 'Crédit accordé',
  RESERVE: 'Montant retenu',
  SETTLE: 'Débité',
  REFUND: 'Remboursé',
  REST: 'Reste débité',
};
