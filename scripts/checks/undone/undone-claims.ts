import type { UndoneFix } from './undone-fixes.ts';

const MEMORY_BIN = 'tests/integration/brain/bin.test.ts';
const ONE_OF_THE_TWO =
  'what is erased and what is brought back in one moment is one of the two: with its history, or gone and counted nowhere';
const BIN = 'tests/integration/storage/bin.test.ts';
const SECOND_IS_TOLD =
  'that is being erased is brought back by nobody, and that is being brought back is erased by nobody: who comes second is told';
const NEVER_CROSSWISE =
  'is deleted, or brought back, while its product is purged: one waits for the other, never crosswise';
const PURGE = 'tests/integration/storage/purge.test.ts';
const TAKES_IN_ORDER = 'takes files (%s) in the order in which requests touch them';
const RETENTION = 'tests/integration/storage/retention.test.ts';
const CLAIMS_IN_ORDER = 'claims files (%s) in the order in which requests touch them';
const KEEPERS = 'who keeps a file (%s) while the night decides about it waits, and finds it gone';

/** What a night, a purge or another process does to a row in the moment in which somebody else has it, each with the lock or the claim that keeps them apart. */
export const UNDONE_CLAIMS: readonly UndoneFix[] = [
  {
    exploit: 'In one moment: a Memory that is brought back has lost its history',
    file: 'lib/brain/bin/erase.ts',
    find: "      .orderBy('id')\n      .forUpdate(),",
    replace: "      .orderBy('id'),",
    test: MEMORY_BIN,
    name: ONE_OF_THE_TWO,
  },
  {
    exploit: 'In one moment: a Memory that was erased is brought back, and counted for ever',
    file: 'lib/brain/memories/undo-delete.ts',
    find: '      .forNoKeyUpdate()\n',
    replace: '',
    test: MEMORY_BIN,
    name: ONE_OF_THE_TWO,
  },
  {
    exploit: 'In one moment: the night takes the history of a Memory that is brought back',
    file: 'lib/brain/bin/erase.ts',
    find: '            .forUpdate()\n            .skipLocked()\n',
    replace: '',
    test: MEMORY_BIN,
    name: 'what somebody is bringing back keeps its history: the night passes over it, and waits for nobody',
  },
  {
    exploit: 'In one moment: a founder is told that a file is erased, and it is back',
    file: 'lib/storage/bin/erase-binned.ts',
    find: '      .forUpdate()\n',
    replace: '',
    test: BIN,
    name: SECOND_IS_TOLD,
  },
  {
    exploit: 'In one moment: a file whose bytes are erased is brought back',
    file: 'lib/storage/bin/restore-binned.ts',
    find: '          .forNoKeyUpdate(),\n',
    replace: '',
    test: BIN,
    name: SECOND_IS_TOLD,
  },
  {
    exploit: 'In one moment: a file is brought back and purged, each waiting for the other',
    file: 'lib/storage/bin/restore-binned.ts',
    find: '    .forUpdate()\n',
    replace: '',
    test: BIN,
    name: NEVER_CROSSWISE,
  },
  {
    exploit: 'In one moment: a file is deleted and purged, each waiting for the other',
    file: 'lib/storage/deletion/delete-generation-files.ts',
    find: "\n      .forUpdate('g'),",
    replace: ',',
    test: BIN,
    name: NEVER_CROSSWISE,
  },
  {
    exploit: 'In one moment: the night counts as erased what is brought back',
    file: 'lib/storage/bin/erase-rows.ts',
    find: ' for update skip locked) due',
    replace: ') due',
    test: BIN,
    name: 'what somebody is bringing back is left alone: the night waits for nobody, and counts what it erased',
  },
  {
    exploit: 'In one moment: files are deleted in an order that requests do not take them in',
    file: 'lib/storage/deletion/delete-generation-files.ts',
    find: '            .forNoKeyUpdate(),',
    replace: '            ,',
    test: PURGE,
    name: 'takes its files in the order in which requests touch them',
  },
  {
    exploit: 'In one moment: files are purged in an order that requests do not take them in',
    file: 'lib/storage/deletion/purge-steps.ts',
    find: "            .where(isHere)\n            .orderBy('id')\n            .forNoKeyUpdate(),",
    replace: "            .where(isHere)\n            .orderBy('id'),",
    test: PURGE,
    name: TAKES_IN_ORDER,
  },
  {
    exploit: 'In one moment: uploads are purged in an order that requests do not take them in',
    file: 'lib/storage/deletion/purge-steps.ts',
    find: "    .orderBy('id')\n    .forNoKeyUpdate();",
    replace: "    .orderBy('id');",
    test: PURGE,
    name: TAKES_IN_ORDER,
  },
  {
    exploit: 'In one moment: an upload that two purges take is counted by both',
    file: 'lib/storage/deletion/purge-steps.ts',
    find: "          .where(isHere)\n          .orderBy('id')\n          .forNoKeyUpdate(),",
    replace: "          .where(isHere)\n          .orderBy('id'),",
    test: PURGE,
    name: 'counts no file (%s) whose row another purge has just taken',
  },
  {
    exploit: 'In one moment: a request reads a file that the night takes',
    file: 'lib/studio/references/find-files.ts',
    find: '      .forNoKeyUpdate();',
    replace: '      ;',
    test: 'tests/integration/studio/references/reference-products.test.ts',
    name: 'that a night is taking in the very moment is found by nobody: a request waits for that, and reads what stands',
  },
  {
    exploit: 'In one moment: a mention is mailed by two nights',
    file: 'lib/studio/comments/mail-mentions.ts',
    find: '      .forUpdate()\n      .skipLocked()\n',
    replace: '',
    test: 'tests/integration/studio/comments.test.ts',
    name: 'a mention is mailed by the night that claims it: another passes over it, and waits for nobody',
  },
  {
    exploit: 'In one moment: a disabling is mailed by two passes',
    file: 'lib/webhooks/delivery/notices.ts',
    find: '        .forUpdate()\n        .skipLocked()\n',
    replace: '',
    test: 'tests/integration/webhooks/delivery.test.ts',
    name: 'a disabling is mailed by the pass that claims it: another passes over it, and waits for nobody',
  },
  {
    exploit: 'In one moment: an event is posted by two passes',
    file: 'lib/webhooks/delivery/claim.ts',
    find: '                .forUpdate()\n                .skipLocked()\n',
    replace: '',
    test: 'tests/integration/webhooks/delivery.test.ts',
    name: 'an event is posted by the pass that claims it: another passes over it, and waits for nobody',
  },
  {
    exploit: 'In one moment: a generation is swept by two passes',
    file: 'lib/studio/sweep/claim-due.ts',
    find: '          .forUpdate()\n          .skipLocked()',
    replace: '         ',
    test: 'tests/integration/studio/closing/pending.test.ts',
    name: 'leaves a row to the pass that claims it: another passes over it, and waits for nobody',
  },
  {
    exploit: 'In one moment: the night takes files in an order that requests do not',
    file: 'lib/storage/retention/assets.ts',
    find: '    .forNoKeyUpdate();',
    replace: '    ;',
    test: RETENTION,
    name: CLAIMS_IN_ORDER,
  },
  {
    exploit: 'In one moment: the night takes uploads in an order that requests do not',
    file: 'lib/storage/retention/uploads.ts',
    find: '      .forNoKeyUpdate();',
    replace: '      ;',
    test: RETENTION,
    name: CLAIMS_IN_ORDER,
  },
  {
    exploit: 'In one moment: the night and a deletion each wait for the other',
    file: 'lib/storage/clear-generations.ts',
    find: ".orderBy('id').forNoKeyUpdate()",
    replace: ".orderBy('id')",
    test: RETENTION,
    name: 'and who deletes the files of the same generation never each hold what the other waits for',
  },
  {
    exploit: 'In one moment: a file that is kept is deleted by the night',
    file: 'lib/storage/retention-lock.ts',
    find: 'sql`pg_advisory_xact_lock(',
    replace: 'sql`(',
    test: RETENTION,
    name: KEEPERS,
  },
  {
    exploit: 'In one moment: a file that the night deletes is kept',
    file: 'lib/storage/retention-lock.ts',
    find: 'sql`pg_advisory_xact_lock_shared(',
    replace: 'sql`(',
    test: RETENTION,
    name: KEEPERS,
  },
];
