import type { UndoneFix } from './undone-fixes.ts';

const FAULTS = 'tests/integration/brain/search/search-faults.test.ts';
const HOSTILE = 'tests/api/hostile/searches.test.ts';
const LENGTHS = 'tests/api/v1/lengths.test.ts';
const FIND = 'lib/brain/search/find.ts';

/** Only the newest hundred that answer are looked at, as candidates once were. */
const NEWEST_HUNDRED = {
  file: FIND,
  find: 'for (const [i, { analysed }] of memories.entries()) {',
  replace:
    'for (const [i, { analysed }] of memories.entries()) {\n    if (i < memories.length - 100) continue;',
  test: FAULTS,
};

const GUARD = { file: 'lib/http/boot/guard-server.ts', test: 'tests/unit/http/boot/guard-server.test.ts' };

/** Every fault of search that was measured, with the piece of the service that mends it (docs/faults/search.md). */
export const UNDONE_SEARCH_FIXES: readonly UndoneFix[] = [
  {
    exploit: 'Search: « danse » under 120 newer « dans »',
    ...NEWEST_HUNDRED,
    name: '« danse » in a title, under 120 newer Memories that hold « dans »',
  },
  {
    exploit: 'Search: « compte » under 150 newer « complet »',
    ...NEWEST_HUNDRED,
    name: '« compte » in a title, under 150 newer Memories that hold « complet »',
  },
  {
    exploit: 'Search: one EAN among 120',
    ...NEWEST_HUNDRED,
    name: 'one EAN among 120 that share their first nine digits',
  },
  {
    exploit: 'Search: rare words and exact phrases among many passages',
    file: 'lib/brain/search/in-scope.ts',
    find: 'if (gone.length === 0) return all;\n  const excluded = all.excluded ? all.excluded.slice() : new Uint8Array(header.count);',
    replace: 'const excluded = new Uint8Array(header.count).fill(1, 0, Math.max(0, header.count - 100));',
    test: FAULTS,
    name: 'every rare word and every exact phrase of 1,500 passages is found where it stands',
  },
  {
    exploit: 'Search: what stands inside words, in eight words only',
    file: FIND,
    find: 'for (const [i, { analysed }] of memories.entries()) {',
    replace:
      "for (const [i, { analysed }] of memories.entries()) {\n    if (level === 'inside' && i >= 8) continue;",
    test: FAULTS,
    name: '« isation » inside 30 different words',
  },
  {
    exploit: 'Search: beside a common word, what is looked at for a rare one grows with the account',
    file: 'lib/brain/search/index/collect-candidates.ts',
    find: 'return words.slice(0, end);',
    replace: 'return words.slice(end, 0);',
    test: 'tests/unit/brain/search/search-rank.test.ts',
    name: 'what is looked at for the results grows with the Memories that hold the rarest word, not with the account',
  },
  {
    exploit: 'Search: hostile texts searched in one go',
    file: 'lib/brain/search/matching/pace.ts',
    find: 'return performance.now() - this.#since >= SLICE_MS;',
    replace: 'return false;',
    test: HOSTILE,
    name: 'over HTTP, no search over hostile texts holds the loop for 50 ms: another account is answered beside it',
  },
  {
    exploit: 'Search: a text of 128 KiB writes a row for each of its words',
    file: 'prisma/migrations/20261122091559_search_segments/migration.sql',
    find: 'octet_length(body) FROM added WHERE "deletedAt" IS NULL;',
    replace:
      'octet_length(body) FROM added WHERE "deletedAt" IS NULL;\n' +
      '  INSERT INTO "SearchDead" SELECT DISTINCT added."accountId", 0, hashtext(word) FROM added, regexp_split_to_table(body, \' \') AS word;',
    test: 'tests/integration/brain/search/index/upkeep.test.ts',
    name: 'a write adds one row to the index, whatever its text, and leaves the words for later',
  },
  {
    exploit: 'Search: a question about a Space is given the plain context',
    file: 'lib/brain/context/focus.ts',
    find: 'return built ? built.payload : assembleContext(input);',
    replace: 'return built && input.maxChars === 0 ? built.payload : assembleContext(input);',
    test: 'tests/properties/focus.test.ts',
    name: 'shows the best answers whole, best first, before anything else',
  },
  {
    exploit: 'Search: 201 characters told to be mandatory',
    file: 'lib/core/text/text-length.ts',
    find: 'text.length <= max, sentence]',
    replace: "text.length <= max, sentence && 'Ce champ est obligatoire.']",
    test: LENGTHS,
    name: 'a search of 201 characters is told that it is too long, not that it is missing; an absent one, that it is mandatory',
  },
  {
    exploit: 'Search: limit 0 told to want an integer',
    file: 'lib/core/input/validate.ts',
    find: ': `La valeur doit être d’au moins ',
    replace: ': `Il faut un nombre entier, ',
    test: LENGTHS,
    name: 'an assistant is told the same: the bound that its limit passes, the length of its search, what is no integer',
  },
  {
    exploit: 'Search: lengths counted in code points',
    file: 'lib/core/text/text-length.ts',
    find: 'text.length <= max',
    replace: '[...text].length <= max',
    test: LENGTHS,
    name: 'a title of 200 units is written, in any script; one of 201 or more is refused (B-132)',
  },
  {
    exploit: 'Search: « le 1 décembre »',
    file: 'lib/core/text/ordinal-day.ts',
    find: "type === 'day' && value === '1' ? '1er' : value",
    replace: "type === 'day' ? value : value",
    test: 'tests/unit/ui/format.test.ts',
    name: 'the first day of a month is « 1er »',
  },
  {
    exploit: 'Search: addresses that cannot be decoded reach Next',
    ...GUARD,
    find: ': isMalformedPath(path)\n',
    replace: ': isMalformedPath(path) && path.length < 0\n',
    name: '%s never reaches a handler: 400 in the words of its neighbours',
  },
  {
    exploit: 'Search: TRACE reaches Next',
    ...GUARD,
    find: "!METHODS.has(request.method ?? '')",
    replace: "!METHODS.has(request.method ?? '') && path.length < 0",
    name: 'TRACE never reaches a handler: 405 in the words of the address, under a Request-Id',
  },
  {
    exploit: 'Search: redirects without a Request-Id',
    ...GUARD,
    find: '!isNamed && !this.headersSent',
    replace: '!isNamed && !this.headersSent && this.statusCode < 0',
    name: 'a redirect that Next answers by itself leaves under a Request-Id; a route keeps its own',
  },
  {
    exploit: 'Search: a NUL in the words of an assistant',
    file: 'lib/core/input/storable-text.ts',
    find: "if (text.includes('\\u0000')) return",
    replace: "if (text.includes('\\u0000\\u0000\\u0000')) return",
    test: LENGTHS,
    name: 'a NUL in what an assistant sends is a fault of the request, not to be tried again',
  },
  {
    exploit: 'Search: 415 in no document',
    file: 'lib/http/routes/declared-errors.ts',
    find: "(['unsupported_media_type'] as const)",
    replace: '[]',
    test: 'tests/api/declarations/declared.test.ts',
    name: 'both documents have tags, a contact, and for each operation the tag, the refusals of its body and who may call',
  },
  {
    exploit: 'Search: OPTIONS without a Request-Id',
    file: 'lib/http/routes/api-path.ts',
    find: "headers.set('Allow', allowHeader(served));",
    replace: "headers.set('Allow', allowHeader(served));\n    headers.delete('Request-Id');",
    test: 'tests/api/declarations/declared.test.ts',
    name: 'OPTIONS says which methods a route has, under a Request-Id',
  },
  {
    exploit: 'Search: errors of the MCP protocol in English with a schema dump',
    file: 'lib/mcp/protocol/french-errors.ts',
    find: 'return JSON.stringify({ ...message, error: inFrench(error) });',
    replace: 'return JSON.stringify({ ...message, error: error ?? inFrench(error) });',
    test: 'tests/api/mcp/protocol-errors.test.ts',
    name: '%s: what the protocol refuses is told in French, with the fields at fault and no dump of a schema',
  },
];
