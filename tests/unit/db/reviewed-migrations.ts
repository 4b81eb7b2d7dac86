/**
 * Migrations that break a rule of the linter, each with the reviewed rules and the reason. Those from before the first deployment ran when no
 * instance was serving and no table was large. From now on, only a reviewed migration belongs here.
 */
export const REVIEWED: Record<string, { rules: readonly string[]; why: string }> = {
  '20261121105518_import_key': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261121111408_outbox': {
    rules: ['require-concurrent-index-creation', 'require-concurrent-index-deletion'],
    why: 'before the first deployment: tables without rows',
  },
  '20261121112043_import_jobs_and_deletions': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261121112520_files_life': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261121120200_avatar_uses': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261121124000_artifact_paths_at_once': {
    rules: ['require-concurrent-index-creation', 'require-concurrent-index-deletion'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122091009_sign_in_browser': {
    rules: ['require-concurrent-index-creation', 'require-concurrent-index-deletion'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122091559_search_segments': {
    rules: ['ban-drop-table'],
    why: 'drops the tables of the former search, which the one version that read them no longer runs',
  },
  '20261122093141_person': {
    rules: [
      'adding-foreign-key-constraint',
      'adding-not-nullable-field',
      'adding-required-field',
      'adding-serial-primary-key-field',
      'ban-drop-column',
      'ban-drop-not-null',
      'constraint-missing-not-valid',
      'require-concurrent-index-creation',
      'require-concurrent-index-deletion',
    ],
    why: 'moves sign-in from members to persons in one step; run once, while no instance served',
  },
  '20261122094233_import_batches': {
    rules: ['ban-drop-column'],
    why: 'drops a column that no deployed version reads',
  },
  '20261122100125_ledger_line_position': {
    rules: [
      'adding-not-nullable-field',
      'require-concurrent-index-creation',
      'require-concurrent-index-deletion',
    ],
    why: 'numbers the lines that are there; run once, while no instance served',
  },
  '20261122101858_storage_room': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122102444_grant_idempotency_key': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122120700_ledger_rest_lines': {
    rules: ['constraint-missing-not-valid', 'require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122120934_operator': {
    rules: [
      'adding-foreign-key-constraint',
      'constraint-missing-not-valid',
      'require-concurrent-index-creation',
    ],
    why: 'before the first deployment: tables without rows',
  },
  '20261122124500_bin': {
    rules: ['require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122160500_account_erasure': {
    rules: ['constraint-missing-not-valid', 'require-concurrent-index-creation'],
    why: 'before the first deployment: tables without rows',
  },
  '20261122193000_credit_taken_back': {
    rules: ['constraint-missing-not-valid'],
    why: 'before the first deployment: tables without rows',
  },
  '20261123151500_file_bin': {
    rules: ['require-concurrent-index-creation'],
    why: 'partial indexes over a column that the same migration adds: no row is in them, each table is read once and none is written',
  },
  '20261125081500_low_balance_told': {
    rules: ['require-concurrent-index-creation'],
    why: 'one row a member: the index is built while a debit waits for milliseconds',
  },
};
