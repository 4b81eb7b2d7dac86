/** What decides, by subject: the files that `npm run mutate -- <folder>` changes, and the tests that have to notice. */
export const FOLDERS: Record<string, { mutate: string[]; tests: string[] }> = {
  lifecycle: {
    mutate: ['lib/studio/lifecycle/decide.ts', 'lib/studio/generation/{states,status,failure-codes}.ts'],
    tests: ['tests/unit/studio/{lifecycle/decide,lifecycle/transitions,generation/status}.test.ts'],
  },
  sweep: {
    mutate: ['lib/studio/sweep/sweep-report.ts'],
    tests: ['tests/unit/studio/sweep/sweep-report.test.ts'],
  },
  cost: {
    mutate: ['lib/studio/closing/decide-cost.ts', 'lib/providers/models/pricing.ts'],
    tests: [
      'tests/unit/studio/{limits,closing/decide-cost}.test.ts',
      'tests/unit/providers/{pricing,models}.test.ts',
    ],
  },
  signatures: {
    mutate: [
      'lib/providers/timed-signature.ts',
      'lib/providers/{gateway,lipsync}/signature.ts',
      'lib/studio/renders/render-signature.ts',
    ],
    tests: [
      'tests/unit/providers/{signature,timed-signature}.test.ts',
      'tests/unit/studio/renders/render-signature.test.ts',
    ],
  },
  'copy-rules': {
    mutate: ['lib/studio/copy-rules/{check-copy,fold}.ts'],
    tests: ['tests/unit/studio/copy-rules/copy-{rules,excerpts}.test.ts'],
  },
  svg: {
    mutate: ['lib/studio/vector/svg-allow-list.ts'],
    tests: ['tests/unit/studio/vector/svg-{allow-list,limits}.test.ts'],
  },
  capacity: {
    mutate: ['lib/brain/capacity-units.ts'],
    tests: ['tests/unit/brain/capacity-units.test.ts'],
  },
  ranking: {
    mutate: ['lib/brain/search/rank-memories.ts', 'lib/brain/search/matching/match.ts'],
    tests: ['tests/unit/brain/search/search-*.test.ts'],
  },
  oauth: {
    mutate: ['lib/oauth/protocol/{redirect-uri,client-metadata}.ts', 'lib/oauth/check-authorization.ts'],
    tests: ['tests/unit/oauth/*.test.ts'],
  },
  retention: {
    mutate: [
      'lib/storage/{keep-reason,file-states}.ts',
      'lib/storage/retention/budget.ts',
      'lib/core/bin-time.ts',
    ],
    tests: ['tests/unit/storage/{keep-reason,retention/retention-budget}.test.ts'],
  },
  permissions: {
    mutate: ['lib/core/{actor,recent-verification}.ts', 'lib/db/space-rights.ts'],
    tests: ['tests/unit/core/actor.test.ts', 'tests/unit/db/space-rights.test.ts'],
  },
  ledger: {
    mutate: ['lib/ledger/{judge-reserve,caps,month,grant-rules}.ts', 'lib/core/money.ts'],
    tests: [
      'tests/unit/ledger/rules.test.ts',
      'tests/unit/studio/limits.test.ts',
      'tests/unit/core/ids-and-money.test.ts',
    ],
  },
  limits: {
    mutate: [
      'lib/identity/rate/rate-limit.ts',
      'lib/brain/quota/read-quota.ts',
      'lib/providers/github/blackout.ts',
      'lib/providers/gateway/video-warnings.ts',
    ],
    tests: ['tests/unit/identity/rate-limit.test.ts', 'tests/unit/studio/limits.test.ts'],
  },
  'voice-desk': {
    mutate: ['lib/studio/voices/voice-desk.ts'],
    tests: ['tests/unit/studio/voices/voice-desk.test.ts'],
  },
  webhooks: {
    mutate: ['lib/webhooks/delivery/retry.ts', 'lib/webhooks/secrets.ts'],
    tests: ['tests/unit/webhooks/retry.test.ts'],
  },
  quality: {
    mutate: ['lib/brain/{quality,tree}.ts'],
    tests: ['tests/properties/{quality,tree}.test.ts'],
  },
  context: {
    mutate: ['lib/brain/context/{water-filling,layout}.ts'],
    tests: ['tests/properties/context*.test.ts'],
  },
  purge: {
    mutate: [
      'lib/identity/purge-expired.ts',
      'lib/brain/proposals/purge-proposals.ts',
      'lib/storage/deletion/purge-product.ts',
    ],
    tests: ['tests/unit/identity/purges.test.ts', 'tests/unit/storage/deletion/purge-product.test.ts'],
  },
  idempotency: {
    mutate: [
      'lib/studio/submission/{find-replay,find-variants}.ts',
      'lib/mcp/tools/content-key.ts',
      'lib/ledger/grant-rules.ts',
    ],
    tests: ['tests/unit/core/idempotency.test.ts', 'tests/unit/ledger/rules.test.ts'],
  },
  quota: {
    mutate: [
      'lib/brain/quota/{get-quota,read-quota,set-allowance}.ts',
      'lib/storage/uploads/{judge-hold,set-storage-quota}.ts',
    ],
    tests: ['tests/unit/storage/uploads/quotas.test.ts', 'tests/unit/identity/rate-limit.test.ts'],
  },
  'upload-tokens': {
    mutate: ['lib/storage/uploads/{direct-upload,import-upload}.ts'],
    tests: ['tests/unit/storage/uploads/upload-tokens.test.ts'],
  },
};
