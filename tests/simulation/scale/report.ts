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
  return `# Scaling beyond one database

Written by \`npm run scale -- --write\` on ${day} (${machine}). The tables of a real PostgreSQL were filled to ${new Intl.ListFormat('en').format(steps.map(({ rows }) => rows.toLocaleString('en')))} rows.
Filling took ${each(({ fillSeconds }) => fillSeconds)} s.

- **What grows** is the number of accounts. Accounts keep one size, as in the target: 10,000 Memories, and at most 100,000 journal rows each (10,000 for the account whose reads
  are measured). \`--largest 1000000\`, the default, fills up to a million rows.
- **Milliseconds** belong to this machine, and to what else it did at that step, so no trend is read from them.
- **Rows read and bytes** do not depend on the machine.
- What was not measured is marked as an assumption.

${
  steps.length > 1
    ? ''
    : '**Only one size was measured, so no trend was**: bytes and rows read below are measured. Multiplications and the order of the limits are expectations from them and from the schema. The larger steps remain to be run.\n'
}
The target: ${TARGET.accounts.toLocaleString('en')} accounts, ${TARGET.memories.toLocaleString('en')} Memories, ${TARGET.generations.toLocaleString('en')} journal rows.

## Size of a row

${table(
  [
    'table',
    ...steps.map(({ rows }) => `bytes per row at ${rows.toLocaleString('en')}`),
    'share of indexes',
    'total at the target',
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

The last column is a multiplication: it assumes that the size of a row does not change. It does not include the rows of the ledger, the audit and the files, some ten for each paid
generation.

## Cost of a frequent read as other accounts grow

${table(
  [
    'read of one account',
    ...steps.flatMap(({ rows }) => [`ms at ${rows.toLocaleString('en')}`, 'rows read']),
    'full table scans',
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

- **Rows read stay the same** while the table grows tenfold: the read depends on its own account only. It uses an index that begins with the account or the Space, which gains one
  level of B-tree for some hundredfold growth.
- **Rows read grow with the table**: the read uses an index that all accounts share. This is what breaks.${
    whole.length > 0
      ? `
- ${whole.map((name) => `\`${name}\``).join(', ')}: scanned completely, because PostgreSQL estimates that as cheaper than an index while the table is small (${last.rows / PER_ACCOUNT.memories} accounts of ${PER_ACCOUNT.spaces} Spaces here). That it uses the index by account at a larger size is an expectation, not measured.`
      : ''
  }${
    left.length > 0
      ? `
- ${left.map((name) => `\`${name}\``).join(', ')}: scanned completely at a smaller size, when that was cheaper than an index. At ${last.rows.toLocaleString('en')} rows it is read by its account.`
      : ''
  }

## Write throughput of one account

${table(
  ['writers', 'accounts', 'Memories per second', 'p50 ms'],
  written.map((row) => [row.writers, row.accounts, row.perSecond.toFixed(0), row.p50Ms.toFixed(1)]),
)}

Every addition claims capacity on its account's row, and holds that row's lock until its commit. On one account, ${crowded?.writers} writers reach ${((crowded?.perSecond ?? 0) / (single?.perSecond ?? 1)).toFixed(2)} × one writer${
    (spread?.accounts ?? 1) > 1
      ? `; spread over ${spread?.accounts} accounts, ${((spread?.perSecond ?? 0) / (single?.perSecond ?? 1)).toFixed(2)} ×`
      : ' (several accounts at once were not measured)'
  }.
${
  rowLimits
    ? `If only that row limits them, it is held about ${(1_000 / (crowded?.perSecond ?? 1)).toFixed(1)} ms per addition, and no number of instances or replicas raises that account's ${crowded?.perSecond.toFixed(0)} a second.`
    : `Many accounts at once do not reach more than one account. So here the machine is the limit before the row is: one account's row allows at least ${crowded?.perSecond.toFixed(0)} a second, and its own limit was not found.`
}
Ten thousand accounts do not compete for one row. One import of a large account can reach this limit alone.

${steps.length > 1 ? '## Limits, in the order in which they are reached' : '## Expected limits, in the order in which they are reached'}

### 1. Volume of the journal

| measured on one connection | | at the target |
| --- | --- | --- |
| bytes per row, as the table grows tenfold | ${bytesOf('Generation')} | ${gigabytes(journal * TARGET.generations)} |
| reading all rows out, in seconds | ${each(({ sizes }) => sizes.find((one) => one.table === 'Generation')?.copySeconds, 2)} | ${dumpHours.toFixed(1)} hours |
| writing rows with their indexes, rows per second | ${each(({ generationsPerSecond }) => generationsPerSecond)} | ${loadHours.toFixed(0)} hours |

Those ${loadHours.toFixed(0)} hours are the journal's alone: the rows of the ledger, the audit and the files, some ten for each paid generation, come on top. So a restore
(\`npm run drill\`) takes longer than a night before the target is reached.

- **Solution**: partition \`Generation\` by month of \`createdAt\`, and \`AuditEntry\` and \`LedgerLine\` by their time. Old months are read-only, dumped once, and dropped from the hot
  indexes.
- **Consequence**: unique keys must then contain the month. So idempotency of \`(memberId, idempotencyKey)\` moves to a table of its own, kept for 30 days.
- Journal pages already ask by account and time, and read the newest partitions first.

### 2. The text index of the journal

\`Generation_search\` is shared by all accounts. For the same account, a search of a rare word reads ${rowsRead('journal, a rare word')} rows, of a common one ${rowsRead('journal, a common word')} rows.${
    rareSlope > 0
      ? `
That is one more row read for each ${Math.round(1 / rareSlope).toLocaleString('en')} that the others write, which is how often they write the word: ${Math.round(rareSlope * TARGET.generations).toLocaleString('en')} rows at the target, for one page.`
      : ''
  }
What grows with other accounts' rows continues to grow. Partitioning by month divides the cost; putting \`accountId\` into the index (\`btree_gin\`) removes it.

### 3. Memories and their search index

| measured | | at the target |
| --- | --- | --- |
| bytes per Memory | ${bytesOf('Memory')} | ${gigabytes((memory + words) * TARGET.memories)} with the words |
| rows read by a search of one account | ${rowsRead('search of the account (10,000 Memories)')} | |
| rows read by a context | ${rowsRead('context of a Space (500 Memories)')} | |

Volume, not reads, is the reason for more than one server.

- **Solution**: partition \`Memory\`, \`SearchDocument\`, \`SearchSegment\` and \`SearchPage\` by hash of \`accountId\`. Every statement names the account, except reads of one Memory by
  identifier, which must then name it too.
- A hash of accounts is also the unit that is moved to a second server.

### 4. One account's row

${single?.perSecond.toFixed(0)} additions per second with one writer, ${crowded?.perSecond.toFixed(0)} with ${crowded?.writers}${rowLimits ? ', whatever the machine adds' : ', which is the limit of this machine rather than of the row (above)'}. When imports wait for it, claim capacity in lots: one reservation per import, not per Memory.

### Read replicas

They can serve context, search, the journal and exports, which tolerate a second of delay, if what a caller has just written is read from the primary (a version in the session).
They cannot serve authentication, which counts the request, nor anything that reserves money.

## Cost of 1,000 requests

${table(
  ['read', 'Node CPU ms', 'dollars for 1,000'],
  last.statements.map(({ verb }) => [
    verb,
    cpuMs(verb).toFixed(1),
    ((cpuMs(verb) / 3_600_000) * VCPU_HOUR_USD * 1_000).toFixed(5),
  ]),
)}

The figures are for the verb in Node only, and the lowest of the sizes (what other work on the machine adds is not the verb's). The price is an assumption: ${VCPU_HOUR_USD} dollars per vCPU
and hour. The HTTP layer, PostgreSQL's share and the traffic are not included.
`;
}
