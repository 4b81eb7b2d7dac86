/** What decides, by subject: the files that `npm run mutate -- <folder>` changes, and the tests that have to notice. */
export const FOLDERS: Record<string, { mutate: string[]; tests: string[] }> = {
  lifecycle: {
    mutate: ['lib/studio/lifecycle/decide.ts', 'lib/studio/generation/{states,status,failure-codes}.ts'],
    tests: ['tests/unit/studio/{decide,transitions,status}.test.ts'],
  },
  cost: {
    mutate: ['lib/studio/closing/decide-cost.ts', 'lib/providers/models/pricing.ts'],
    tests: ['tests/unit/studio/limits.test.ts', 'tests/unit/providers/{pricing,models}.test.ts'],
  },
  signatures: {
    mutate: ['lib/providers/gateway/signature.ts', 'lib/studio/renders/render-signature.ts'],
    tests: ['tests/unit/providers/signature.test.ts', 'tests/unit/studio/render-signature.test.ts'],
  },
  'copy-rules': {
    mutate: ['lib/studio/copy-rules/{check-copy,fold}.ts'],
    tests: ['tests/unit/studio/copy-rules.test.ts'],
  },
  svg: {
    mutate: ['lib/studio/vector/svg-allow-list.ts'],
    tests: ['tests/unit/studio/svg-{allow-list,limits}.test.ts'],
  },
  capacity: {
    mutate: ['lib/brain/capacity-units.ts'],
    tests: ['tests/unit/brain/capacity-units.test.ts'],
  },
  ranking: {
    mutate: ['lib/brain/search/rank-memories.ts', 'lib/brain/search/matching/match.ts'],
    tests: ['tests/unit/brain/search-*.test.ts'],
  },
  oauth: {
    mutate: ['lib/oauth/protocol/{redirect-uri,client-metadata}.ts', 'lib/oauth/check-authorization.ts'],
    tests: ['tests/unit/oauth/*.test.ts'],
  },
};
