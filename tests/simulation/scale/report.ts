import { PER_ACCOUNT } from './fill.ts';
import type { SizeRow, StatementRow, WriterRow } from './measure.ts';

export type ScaleResults = {
  steps: {
    rows: number;
    fillSeconds: number;
    /** Journal rows put in a second, in bulk, with their indexes. */
    generationsPerSecond: number;
    sizes: SizeRow[];
    statements: StatementRow[];
  }[];
  written: WriterRow[];
  machine: string;
  day: string;
};

/** What the plan is for. */
const TARGET = { accounts: 10_000, memories: 100_000_000, generations: 1_000_000_000 } as const;
/** Dollars of one vCPU for an hour: a round figure for a managed host, to be replaced by one's own. */
const VCPU_HOUR_USD = 0.06;

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(bytes < 1e11 ? 1 : 0)} GB`;
const table = (head: string[], rows: (string | number)[][]) =>
  [head, head.map((_, n) => (n === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

/** docs/scale.md: what was measured, and what it says of the target by stated assumptions. */
export function writeScale({ steps, written, machine, day }: ScaleResults): string {
  const last = steps.at(-1);
  const first = steps[0];
  if (!last || !first) throw new Error('nothing was measured');
  const perRow = (names: string[], rows: number) =>
    last.sizes
      .filter((one) => names.includes(one.table))
      .reduce((sum, one) => sum + one.heapBytes + one.indexBytes, 0) / rows;
  const rowsOf = (name: string) => last.sizes.find((one) => one.table === name)?.rows ?? 1;
  const indexed = Math.max(1, rowsOf('SearchDocument'));
  const memory = perRow(['Memory'], rowsOf('Memory'));
  const words = perRow(['SearchDocument', 'SearchSegment', 'SearchPage'], indexed);
  const journal = perRow(['Generation'], rowsOf('Generation'));
  const [single, crowded, spread] = written;
  const each = (pick: (step: ScaleResults['steps'][number]) => number | undefined, digits = 0) =>
    steps.map((step) => pick(step)?.toFixed(digits) ?? '?').join(' → ');
  const rowsRead = (verb: string) =>
    each(({ statements }) => statements.find((one) => one.verb === verb)?.rowsRead);
  const bytesOf = (name: string) =>
    each(({ sizes }) => {
      const one = sizes.find((size) => size.table === name);
      return one && (one.heapBytes + one.indexBytes) / one.rows;
    });
  const journalSize = last.sizes.find((one) => one.table === 'Generation');
  const whole = [...new Set(last.statements.flatMap(({ wholeTables }) => wholeTables))];
  const left = [
    ...new Set(steps.flatMap(({ statements }) => statements.flatMap(({ wholeTables }) => wholeTables))),
  ].filter((name) => !whole.includes(name));
  const ofRareWord = ({ statements }: ScaleResults['steps'][number]) =>
    statements.find(({ verb }) => verb === 'journal, a rare word')?.rowsRead ?? Number.NaN;
  const rareSlope = (ofRareWord(last) - ofRareWord(first)) / (last.rows - first.rows);
  const cpuMs = (wanted: string) =>
    Math.min(
      ...steps.flatMap(({ statements }) =>
        statements.filter(({ verb }) => verb === wanted).map((one) => one.cpuMs),
      ),
    );
  // Unless more accounts write more, it is not the account's row that they wait for.
  const rowLimits = !spread || spread.perSecond > 1.2 * (crowded?.perSecond ?? 0);
  const dumpHours = ((journalSize?.copySeconds ?? 0) / (journalSize?.rows ?? 1) / 3_600) * TARGET.generations;
  const loadHours = TARGET.generations / last.generationsPerSecond / 3_600;
  return `# Past one database

Written by \`npm run scale -- --write\` on ${day} (${machine}), on a real PostgreSQL whose tables were filled to ${new Intl.ListFormat('en').format(steps.map(({ rows }) => rows.toLocaleString('en')))} rows.
Filling took ${each(({ fillSeconds }) => fillSeconds)} s.
Accounts keep one size, as in the target (10,000 Memories, 100,000 journal rows each at most, 10,000 for the one whose reads are measured); what grows is their number. \`--largest 1000000\`, the default, fills up to a million rows.
Milliseconds belong to this machine, which did other things, more of them at one step than at another: no slope is read from them. Rows read and bytes do not. What was not measured is said to be an assumption.

${
  steps.length > 1
    ? ''
    : '**One size was measured, so no slope was**: bytes and rows read below are measured, multiplications and the order of what breaks are expectations from them and from the schema. The larger steps remain to be run.\n'
}
The target: ${TARGET.accounts.toLocaleString('en')} accounts, ${TARGET.memories.toLocaleString('en')} Memories, ${TARGET.generations.toLocaleString('en')} journal rows.

## What a row weighs

${table(
  [
    'table',
    ...steps.map(({ rows }) => `bytes a row at ${rows.toLocaleString('en')}`),
    'of it indexes',
    'at the target',
  ],
  [
    ...last.sizes
      .filter(({ table: name }) => name === 'Memory' || name === 'Generation')
      .map(({ table: name, rows, heapBytes, indexBytes }) => [
        name,
        ...steps.map(({ sizes }) => {
          const one = sizes.find((size) => size.table === name);
          return one ? Math.round((one.heapBytes + one.indexBytes) / one.rows) : '';
        }),
        `${Math.round((100 * indexBytes) / (heapBytes + indexBytes))} %`,
        gigabytes(
          ((heapBytes + indexBytes) / rows) * (name === 'Memory' ? TARGET.memories : TARGET.generations),
        ),
      ]),
    [
      `search index, of ${indexed.toLocaleString('en')} indexed Memories`,
      ...steps.map((_, n) => (n === steps.length - 1 ? Math.round(words) : '')),
      '',
      gigabytes(words * TARGET.memories),
    ],
  ],
)}

The last column is a multiplication, which assumes that a row goes on weighing the same. The ledger, the audit and the files' rows, some ten beside each paid generation, are not in it.

## What a hot read costs as the other accounts' rows arrive

${table(
  [
    'read of one account',
    ...steps.flatMap(({ rows }) => [`ms at ${rows.toLocaleString('en')}`, 'rows read']),
    'whole tables',
  ],
  last.statements.map(({ verb, wholeTables }, n) => [
    verb,
    ...steps.flatMap(({ statements }) => [
      statements[n]?.p50Ms.toFixed(1) ?? '',
      statements[n]?.rowsRead ?? '',
    ]),
    wholeTables.join(', ') || 'none',
  ]),
)}

Rows read that stay the same while the table grows tenfold are the slope that matters: such a read depends on its account, through an index that begins with the account or the Space, and adds
one level of B-tree for some hundredfold. Rows read that grow with the table belong to an index that all accounts share: that is what breaks.${
    whole.length > 0
      ? `
${whole.map((name) => `\`${name}\``).join(', ')}: read from end to end, which PostgreSQL takes for cheaper than an index as long as the table is small (${last.rows / PER_ACCOUNT.memories} accounts of ${PER_ACCOUNT.spaces} Spaces here); that it goes over to the index by the account at a larger size is an expectation, not measured.`
      : ''
  }${
    left.length > 0
      ? `
${left.map((name) => `\`${name}\``).join(', ')}: read from end to end at a smaller size, when that was cheaper than an index; at ${last.rows.toLocaleString('en')} rows it is read by its account.`
      : ''
  }

## What one account may write

${table(
  ['writers', 'accounts', 'Memories a second', 'p50 ms'],
  written.map((row) => [row.writers, row.accounts, row.perSecond.toFixed(0), row.p50Ms.toFixed(1)]),
)}

Every addition claims capacity on its account's row, and holds it until its commit: on one account ${crowded?.writers} writers reach ${((crowded?.perSecond ?? 0) / (single?.perSecond ?? 1)).toFixed(2)} × one writer${
    (spread?.accounts ?? 1) > 1
      ? `, spread over ${spread?.accounts} accounts ${((spread?.perSecond ?? 0) / (single?.perSecond ?? 1)).toFixed(2)} ×`
      : ' (several accounts at once were not measured)'
  }.
${
  rowLimits
    ? `If only that row limits them, it is held about ${(1_000 / (crowded?.perSecond ?? 1)).toFixed(1)} ms an addition, and no number of instances or replicas raises that account's ${crowded?.perSecond.toFixed(0)} a second.`
    : `Many accounts at once do not reach more than one: here the machine limits them before the row does, so that one account's ${crowded?.perSecond.toFixed(0)} a second is the least that its row bears, and where the row itself ends was not found.`
}
Ten thousand accounts do not meet on it; one import of a large account does, alone.

${steps.length > 1 ? '## What breaks, in this order' : '## What is expected to break, in this order'}

1. **The journal's volume.** ${bytesOf('Generation')} bytes a row as the table grows tenfold, so ${gigabytes(journal * TARGET.generations)} at the target. Measured on one connection: rows are read out in
   ${each(({ sizes }) => sizes.find((one) => one.table === 'Generation')?.copySeconds, 2)} s, which would be ${dumpHours.toFixed(1)} hours, and put in with their indexes at ${each(({ generationsPerSecond }) => generationsPerSecond)} a second, which would be ${loadHours.toFixed(0)} hours: a restore (\`npm run drill\`) takes longer than a night long before.
   Partition \`Generation\` by month of \`createdAt\` (and \`AuditEntry\`, \`LedgerLine\` by their time): old months are read-only, dumped once, dropped from the hot indexes. Its unique keys must then hold the
   month, so idempotency of \`(memberId, idempotencyKey)\` moves to a table of its own with a life of 30 days. Journal pages already ask by account and time, and read the newest partitions first.
2. **The one text index of the journal.** \`Generation_search\` is shared by all accounts: a search of a rare word reads ${rowsRead('journal, a rare word')} rows, of a common one ${rowsRead('journal, a common word')} rows,
   for the same account.${
     rareSlope > 0
       ? ` That is one more row read for each ${Math.round(1 / rareSlope).toLocaleString('en')} that the others write, which is how often they write the word: ${Math.round(rareSlope * TARGET.generations).toLocaleString('en')} rows at the target, for one page.`
       : ''
   } What grows with other accounts' rows grows on. Partitioning by month divides it; putting \`accountId\` in it (\`btree_gin\`) ends it.
3. **Memories and their search index.** ${bytesOf('Memory')} bytes a Memory, so ${gigabytes((memory + words) * TARGET.memories)} with the words at the target; a search of one account reads ${rowsRead('search of the account (10,000 Memories)')} rows,
   a context ${rowsRead('context of a Space (500 Memories)')}: volume, not reads, is what asks for more than one server. Partition \`Memory\`, \`SearchDocument\`, \`SearchSegment\` and \`SearchPage\` by hash of \`accountId\`: every statement names the account,
   except reads of one Memory by identifier, which must then name it too. A hash of accounts is also what is moved to a second server.
4. **One account's row**: ${single?.perSecond.toFixed(0)} additions a second with one writer, ${crowded?.perSecond.toFixed(0)} with ${crowded?.writers}${rowLimits ? ', whatever the machine adds' : ', which is this machine rather than the row (above)'}. When it is what imports wait for, its capacity is claimed in lots (a reservation per import, not per Memory).

Read replicas serve context, search, the journal and exports, which bear a second of delay, if what a caller has just written is read from the primary (a version in the session). They do not serve
authentication, which counts the request, nor anything that reserves money.

## What 1,000 requests cost

${table(
  ['read', 'Node CPU ms', 'dollars for 1,000'],
  last.statements.map(({ verb }) => [
    verb,
    cpuMs(verb).toFixed(1),
    ((cpuMs(verb) / 3_600_000) * VCPU_HOUR_USD * 1_000).toFixed(5),
  ]),
)}

Of the verb in Node alone, the least of the sizes (what a neighbour on the machine adds is not the verb's), at ${VCPU_HOUR_USD} dollars a vCPU and hour (an assumption): the HTTP layer, PostgreSQL's share and the traffic are not in it.
`;
}
