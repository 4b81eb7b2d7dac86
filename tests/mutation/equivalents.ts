/** A change that no test can notice, since the program behaves the same: what was there, what was put in its place, and why. */
type Equivalent = { file: string; original: string; replacement: string; why: string };

export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: "granted.type !== 'blob.generate-client-token'",
    replacement: 'false',
    why: 'the SDK answers a request for a token with a token, or throws: the type asks for the check',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: 'format !== null',
    replacement: 'true',
    why: 'no list of formats holds null',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: "'{}'",
    replacement: '""',
    why: 'neither names a product: the refusal is the same',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'neither is JSON: the refusal is the same',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: '!token',
    replacement: 'false',
    why: 'the SDK refuses without a token too, and every refusal is a CallbackRejected',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: "body?.type !== 'blob.upload-completed'",
    replacement: 'false',
    why: 'a request for a token is refused by the callback below, anything else by the SDK',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: 'body?.type',
    replacement: 'body.type',
    why: 'reading of nothing throws, which is a CallbackRejected like the refusal',
  },
  {
    file: 'lib/storage/uploads/direct-upload.ts',
    original: "() => Promise.reject(new Error('not a token request'))",
    replacement: '() => undefined',
    why: 'a request for a token was refused above',
  },
  ...['true', 'i > 1 || j > 1'].map((replacement) => ({
    file: 'lib/brain/search/matching/match.ts',
    original: 'i > 1 &&\n        j > 1',
    replacement,
    why: 'before the first letter there is none: its code is NaN, which is the code of no letter',
  })),
  ...['true', 'cap <= least'].map((replacement) => ({
    file: 'lib/brain/context/water-filling.ts',
    original: 'cap < least',
    replacement,
    why: 'where the cap is no less than that, all share: counting them says so too',
  })),
  {
    file: 'lib/brain/context/water-filling.ts',
    original: 'measured[i] === 1',
    replacement: 'false',
    why: 'a body that is measured again is as long as it was',
  },
  {
    file: 'lib/brain/context/layout.ts',
    original: 'depth > deepest',
    replacement: 'depth >= deepest',
    why: 'at the deepest level the sign is repeated no time',
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'Math.abs(term.length - word.text.length) > most',
    replacement: 'false',
    why: 'each letter more or less is an error: the distance says it too, only later',
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: '[]',
    replacement: '["Stryker was here"]',
    why: 'the row before the previous one is read from the third row on, when it is one',
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'i > 1',
    replacement: 'true',
    why: "before the first letter there is none: its code is NaN, which is no letter's",
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'i > 1',
    replacement: 'i >= 1',
    why: "before the first letter there is none: its code is NaN, which is no letter's",
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'j > 1',
    replacement: 'true',
    why: "before the first letter there is none: its code is NaN, which is no letter's",
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'j > 1',
    replacement: 'j >= 1',
    why: "before the first letter there is none: its code is NaN, which is no letter's",
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'cost < least',
    replacement: 'cost <= least',
    why: 'where both are the same, either is the least',
  },
  {
    file: 'lib/brain/search/matching/match.ts',
    original: 'least > most',
    replacement: 'false',
    why: 'what is given up early is given up at the end: no row has less than the one before',
  },
  {
    file: 'lib/brain/search/rank-memories.ts',
    original: 'query.words[word]?.weight',
    replacement: 'query.words[word].weight',
    why: 'what is found is of a word of the query: it is there',
  },
  {
    file: 'lib/studio/lifecycle/decide.ts',
    original: 'ran < row.heldMicros',
    replacement: 'ran <= row.heldMicros',
    why: 'where both are the same amount, either is the answer',
  },
  ...['false', '""'].map((replacement) => ({
    file: 'lib/studio/lifecycle/decide.ts',
    original: replacement === 'false' ? "outcome.result === 'delivered'" : "'delivered'",
    replacement,
    why: 'a delivered outcome has neither a code nor a technical message: nothing is discarded either way',
  })),
  {
    file: 'lib/studio/lifecycle/decide.ts',
    original: "'internal-error'",
    replacement: '""',
    why: 'only kinds with a deadline are ever late, and those have a code; the type asks for one',
  },
  {
    file: 'lib/brain/capacity-units.ts',
    original: "'utf8'",
    replacement: '""',
    why: 'Node takes an encoding that it does not know for UTF-8',
  },
  {
    file: 'lib/webhooks/secrets.ts',
    original: "'utf8'",
    replacement: '""',
    why: 'Node takes an encoding that it does not know for UTF-8',
  },
  {
    file: 'lib/core/money.ts',
    original: 'shift >= 0',
    replacement: 'shift > 0',
    why: 'where nothing is shifted, rounding a whole number to a whole gives it again',
  },
  {
    file: 'lib/core/money.ts',
    original: "'0'",
    replacement: '""',
    why: 'no exponent is an exponent of nothing: Number of either is 0',
  },
  {
    file: 'lib/ledger/caps.ts',
    original: 'after === undefined',
    replacement: 'false',
    why: 'what is left as it is is never more than what was: undefined is above no amount',
  },
  {
    file: 'lib/providers/models/pricing.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'a text that names no tier, where no resolution is told: another one names none either',
  },
  {
    file: 'lib/providers/models/pricing.ts',
    original: 'value === undefined',
    replacement: 'false',
    why: 'what is undefined is not finite either: the words after it refuse it; it is there for the type',
  },
  {
    file: 'lib/studio/closing/decide-cost.ts',
    original: 'gatewayMicros > formulaMicros',
    replacement: 'gatewayMicros >= formulaMicros',
    why: 'where both are the same amount, either difference is nothing',
  },
  {
    file: 'lib/studio/closing/decide-cost.ts',
    original: 'formulaMicros > heldMicros',
    replacement: 'formulaMicros >= heldMicros',
    why: 'where both are the same amount, either is the larger',
  },
  ...[
    ['sorted.every((row) => row.parentId === null)', 'false'],
    ['(row) => row.parentId === null', '() => undefined'],
    ['row.parentId === null', 'false'],
    [
      '{\n    for (const row of sorted) ordered.push({ row, depth: 0, parentId: null });\n    return ordered;\n  }',
      '{}',
    ],
  ].map(([original = '', replacement = '']) => ({
    ...{ file: 'lib/brain/tree.ts', original, replacement },
    why: 'the short way of a pillar without nesting gives what the long one gives',
  })),
  ...['true', 'depth >= 0'].map((replacement) => ({
    ...{ file: 'lib/brain/tree.ts', original: 'depth > 0', replacement },
    why: 'the sibling of a root is one of a cycle, found again under its parent before the stack comes to it',
  })),
  {
    file: 'lib/brain/tree.ts',
    original: 'at < sorted.length',
    replacement: 'at <= sorted.length',
    why: 'past the last row there is neither a parent nor a place: nothing is done',
  },
  ...[
    ['ordered.length < sorted.length', 'true'],
    ['ordered.length < sorted.length', 'ordered.length <= sorted.length'],
    ['placed[at] === 0', 'true'],
  ].map(([original = '', replacement = '']) => ({
    ...{ file: 'lib/brain/tree.ts', original, replacement },
    why: 'a row that is placed is not placed again: the look is spared, not the row',
  })),
  {
    file: 'lib/brain/tree.ts',
    original: 'parentId === null',
    replacement: 'false',
    why: 'no row is called null: the index answers the same undefined',
  },
  ...[
    [
      '{\n  for (let i = 1; i < rows.length; i++) {\n    if (oldestFirst(rows[i - 1] as TreeRow, rows[i] as TreeRow) > 0) return false;\n  }\n  return true;\n}',
      '{}',
    ],
    ['oldestFirst(rows[i - 1] as TreeRow, rows[i] as TreeRow) > 0', 'true'],
    [
      'oldestFirst(rows[i - 1] as TreeRow, rows[i] as TreeRow) > 0',
      'oldestFirst(rows[i - 1] as TreeRow, rows[i] as TreeRow) >= 0',
    ],
    ['true', 'false'],
  ].map(([original = '', replacement = '']) => ({
    ...{ file: 'lib/brain/tree.ts', original, replacement },
    why: 'rows that are sorted again come out the same: only the sort is spared',
  })),
  ...[
    ['left > 0', 'true'],
    ['left > 0', 'left >= 0'],
    ['[]', '["Stryker was here"]'],
  ].map(([original = '', replacement = '']) => ({
    ...{ file: 'lib/brain/quality.ts', original, replacement },
    why: 'where nothing is left, the first none of any list are given a point',
  })),
  {
    file: 'lib/brain/quality.ts',
    original: 'a.id < b.id',
    replacement: 'a.id <= b.id',
    why: 'two Memories have two identifiers',
  },
  ...['lib/providers/github/blackout.ts', 'lib/providers/gateway/video-warnings.ts'].map((file) => ({
    ...{ file, original: "''", replacement: '"Stryker was here!"' },
    why: 'a text that is no time, and names no image, where none is told: another one is none and names none either',
  })),
  ...[
    ["sign < '\\u0080'", 'false'],
    ["sign < '\\u0080'", "sign <= '\\u0080'"],
    ["'\\u0080'", '""'],
  ].map(([original = '', replacement = '']) => ({
    ...{ file: 'lib/studio/copy-rules/fold.ts', original, replacement },
    why: 'the short way of plain ASCII gives what the long one gives',
  })),
  ...['/\\s$/', '/^\\s/'].map((replacement) => ({
    ...{ file: 'lib/studio/copy-rules/fold.ts', original: '/^\\s$/', replacement },
    why: 'it is asked of one sign, which both begins and ends the text',
  })),
  {
    file: 'lib/providers/timed-signature.ts',
    original: "''",
    replacement: '"Stryker was here!"',
    why: 'a time or a digest that is not there: another text is no number and no hexadecimal either',
  },
  ...['lib/providers/timed-signature.ts', 'lib/studio/renders/render-signature.ts'].map((file) => ({
    ...{ file, original: "'utf8'", replacement: '""' },
    why: 'Node takes an encoding that it does not know for UTF-8',
  })),
];
