import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { ORPHAN_FOLDERS } from '#lib/storage/retention/orphans.ts';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import type { RetentionOutcome, RetentionReport } from '#lib/storage/retention/report.ts';
import { type RetentionOptions, runRetention } from '#lib/storage/retention/run-retention.ts';
import { DAY_MS } from '#tests/factories/files/files.ts';
import { Killed, NO_FAULTS, type OutsideFaults, withFaults } from './faulty-outside.ts';
import type { Step } from './history.ts';
import { isOver } from './model.ts';
import { play } from './play.ts';
import type { Stage } from './stage.ts';

/** What to break on purpose, to see it caught. */
export type Sabotage = { rule?: RetentionOptions['rule']; ignoresEtags?: boolean };

/** Totals over all histories; `longest` is how much one pass asked of its database and store, at most. */
export type Totals = {
  schedules: number;
  steps: number;
  passes: number;
  deaths: number;
  deleted: number;
  longest: number;
};

export const noTotals = (): Totals => ({
  schedules: 0,
  steps: 0,
  passes: 0,
  deaths: 0,
  deleted: 0,
  longest: 0,
});

const CROWD: Step['does'][] = [
  'approve',
  'save-avatar',
  'add-lesson',
  'attach',
  'keep-rush',
  'delete-avatar',
  'restore-files',
  'restore-avatar',
];

function faultsOf(stage: Stage, step: Step): OutsideFaults {
  switch (step.does) {
    case 'pass-cut':
      return { ...NO_FAULTS, dieAt: 1 + (step.b % 40), dieAfterEffect: step.c % 2 === 0 };
    case 'pass-failing':
      return { ...NO_FAULTS, storeFailures: 1 + (step.b % 9) };
    case 'pass-stale':
      return { ...NO_FAULTS, staleListing: true };
    case 'pass-crowded': {
      let n = step.a;
      const meanwhile = async () => {
        n += 1;
        const does = CROWD[n % CROWD.length] as Step['does'];
        await play(stage, { does, a: n, b: step.b + n, c: step.c });
      };
      return { ...NO_FAULTS, meanwhile };
    }
    default:
      return NO_FAULTS;
  }
}

/** The journal as retention must leave it: everything but whether the files are there. */
async function journal(stage: Stage): Promise<string> {
  const { rows } = await stage.s.service.pool.query<{ text: string }>(
    `SELECT coalesce(md5(string_agg(line, '|' ORDER BY line)), '') AS text FROM (
       SELECT (to_jsonb(g) - 'filesDeletedAt' - 'filesDeletedBy' - 'statusKey' - 'updatedAt')::text AS line
         FROM "Generation" g WHERE g."accountId" = $1
       UNION ALL SELECT to_jsonb(l)::text FROM "LedgerLine" l WHERE l."accountId" = $1
       UNION ALL SELECT to_jsonb(w)::text FROM "Wallet" w WHERE w."accountId" = $1) lines`,
    [stage.s.owner.accountId],
  );
  return rows[0]?.text ?? '';
}

/** Paths of the files that rule 1 names at this moment and rule 2 does not keep. */
function expirable({ model }: Stage, now: number): string[] {
  const assets = [...model.assets.values()].filter((one) => model.mayExpire(one, now));
  const uploads = [...model.uploads.values()].filter((one) => model.mayExpireUpload(one, now));
  return [...assets, ...uploads].map((one) => one.pathname);
}

/** Plays one pass and says what it did that no rule allows. */
export async function playPass(
  stage: Stage,
  step: Step,
  totals: Totals,
  sabotage: Sabotage = {},
): Promise<{ faults: string[]; outcome: RetentionOutcome | null }> {
  const { s, model } = stage;
  const now = s.clock.now().getTime();
  const before = {
    journal: await journal(stage),
    objects: new Map(s.store.files),
    mayExpire: new Set(expirable(stage, now)),
    changed: new Set(
      [...model.assets.values(), ...model.uploads.values()]
        .filter((one) => one.hasChanged && !one.isGone)
        .map((one) => one.pathname),
    ),
    named: new Set([...s.store.files.keys()].filter((pathname) => model.isNamed(pathname))),
    // What the bin lets go tonight is an orphan from then on, changed or not: its age in the store decides.
    leaving: new Set(
      [...model.assets.values(), ...model.uploads.values()]
        .filter((one) => one.binnedAt !== null && isOver(one.binnedAt, now))
        .map((one) => one.pathname),
    ),
  };
  const outside = { ...faultsOf(stage, step), ignoresEtags: sabotage.ignoresEtags ?? false };
  const { meanwhile } = outside;
  // What a member lets go while the pass runs may go in this very pass.
  if (meanwhile)
    outside.meanwhile = async () => {
      await meanwhile();
      for (const pathname of expirable(stage, now)) before.mayExpire.add(pathname);
    };
  const pass = withFaults(s.cron, s.service.pool, s.store, outside);
  const isShort = step.does === 'pass-short';
  totals.passes += 1;
  const night = async () => {
    await eraseExpiredBinned(pass.ctx, { elapsedMs: () => 0, batch: 1 + (step.a % 3) });
    const announced = await announcedBy(stage, step, sabotage);
    const outcome = await runRetention(pass.ctx, {
      batch: 1 + (step.a % 3),
      page: 1 + (step.c % 4),
      ...(isShort
        ? { elapsedMs: () => pass.state.calls, budgetMs: 5 + (step.b % 25) }
        : { elapsedMs: () => 0 }),
      ...(sabotage.rule ? { rule: sabotage.rule } : {}),
    });
    return { announced, outcome };
  };
  const played = await night().catch((error: unknown) => {
    if (!pass.state.dead) throw error;
    if (!(error instanceof Killed)) throw error;
    totals.deaths += 1;
    return null;
  });
  const { announced, outcome } = played ?? { announced: null, outcome: null };
  const faults: string[] = [];
  totals.longest = Math.max(totals.longest, pass.state.calls);
  if (pass.state.endless) faults.push(`the pass does not end: ${pass.state.calls} calls`);
  if ((await journal(stage)) !== before.journal) faults.push('the journal or the ledger changed');
  const cutoff = now - 30 * DAY_MS;
  const isOld = ({ uploadedAt }: { uploadedAt: Date }) => uploadedAt.getTime() < cutoff;
  for (const [pathname, object] of before.objects) {
    if (s.store.files.has(pathname)) continue;
    totals.deleted += 1;
    const isOurs = ORPHAN_FOLDERS.some((folder) => pathname.startsWith(folder));
    if (!isOurs) faults.push(`deleted outside its folders: ${pathname}`);
    else if (before.changed.has(pathname) && !(before.leaving.has(pathname) && isOld(object)))
      faults.push(`deleted although it changed: ${pathname}`);
    else if (before.named.has(pathname)) {
      if (!before.mayExpire.has(pathname)) faults.push(`deleted although rule 2 keeps it: ${pathname}`);
    } else if (object.uploadedAt.getTime() >= cutoff) faults.push(`deleted although recent: ${pathname}`);
  }
  for (const asset of model.assets.values())
    if (!asset.isGone && (asset.avatar || asset.lessons.length > 0 || asset.state === 'APPROVED'))
      if (before.objects.has(asset.pathname) && !s.store.files.has(asset.pathname))
        faults.push(`deleted although a member had just kept it: ${asset.pathname}`);
  if (announced && outcome && 'complete' in outcome && outcome.complete) faults.push(...announced(outcome));
  await learn(stage, faults, before);
  return { faults, outcome };
}

/**
 * What the dry run says just before a whole undisturbed pass, as a judge of that pass: the same counts, and the very files. Null when
 * the pass resumes an earlier one, or the rows change while it runs.
 */
async function announcedBy(stage: Stage, step: Step, sabotage: Sabotage) {
  const { s } = stage;
  if (step.does !== 'pass' || sabotage.rule || sabotage.ignoresEtags) return null;
  const resumed = await s.service.db.cronCursor.findFirst({ where: { job: 'retention' } });
  if ((resumed?.cursor as { state?: object | null } | undefined)?.state) return null;
  const files = new Set<string>();
  const objects = [...s.store.files.keys()];
  const plan = await planRetention(s.cron, ({ pathname }) => files.add(pathname));
  return (report: RetentionReport): string[] => {
    if ('skipped' in plan) return ['the dry run saw no store'];
    const said = JSON.stringify([plan.assets, plan.uploads, plan.orphans]);
    const did = JSON.stringify([report.assets, report.uploads, report.orphans]);
    const faults = said === did ? [] : [`the dry run announced ${said}, the pass did ${did}`];
    for (const pathname of objects)
      if (files.has(pathname) === s.store.files.has(pathname))
        faults.push(`the dry run was wrong about ${pathname}`);
    return faults;
  };
}

/** Takes over what the rows now say is gone; a row may say so only of a file that went, and rightly. */
async function learn(
  stage: Stage,
  faults: string[],
  before: { objects: Map<string, unknown>; mayExpire: Set<string> },
): Promise<void> {
  const { s, model } = stage;
  const now = s.clock.now().getTime();
  const { rows } = await s.service.pool.query<{ id: string; pathname: string }>(
    `SELECT "id", "pathname" FROM "Asset" WHERE "accountId" = $1 AND "deletedAt" IS NOT NULL
       AND "binnedBy" IS NULL
     UNION ALL SELECT "id", "pathname" FROM "Upload" WHERE "accountId" = $1 AND "deletedAt" IS NOT NULL
       AND "binnedBy" IS NULL`,
    [s.owner.accountId],
  );
  for (const { id, pathname } of rows) {
    const file = model.assets.get(id) ?? model.uploads.get(id);
    if (!file || file.isGone) continue;
    file.isGone = true;
    // The bin says it first: bytes that a dead process left, or that changed, are the orphan pass's from then on.
    if (file.binnedAt !== null) {
      if (!isOver(file.binnedAt, now)) faults.push(`left the bin before its time: ${pathname}`);
    } else if (s.store.files.has(pathname))
      faults.push(`marked as deleted with its bytes there: ${pathname}`);
    else if (before.objects.has(pathname) && !before.mayExpire.has(pathname))
      faults.push(`marked as deleted although kept: ${pathname}`);
  }
  const left = await s.service.pool.query<{ id: string }>(
    `SELECT "id" FROM "Avatar" WHERE "accountId" = $1 UNION ALL SELECT "id" FROM "Concept" WHERE "accountId" = $1`,
    [s.owner.accountId],
  );
  const there = new Set(left.rows.map(({ id }) => id));
  for (const asset of model.assets.values())
    for (const [id, at] of asset.binnedAvatars) {
      if (there.has(id)) continue;
      if (!asset.isGone && !isOver(at, now)) faults.push(`an avatar left the bin before its time: ${id}`);
      asset.binnedAvatars.delete(id);
    }
  for (const [id, at] of model.binnedConcepts) {
    if (there.has(id)) continue;
    if (!isOver(at, now)) faults.push(`a concept left the bin before its time: ${id}`);
    model.binnedConcepts.delete(id);
  }
}

/** After enough calm nights: everything that rule 1 names is gone, told once, and nothing waits. */
export async function settle(stage: Stage, totals: Totals, sabotage: Sabotage): Promise<string[]> {
  const { s, model } = stage;
  const faults: string[] = [];
  for (let night = 0, whole = 0; whole < 2; night += 1) {
    if (night > 12) return [...faults, 'twelve calm nights did not make two whole passes'];
    s.clock.advance(DAY_MS);
    const played = await playPass(stage, { does: 'pass', a: 2, b: 0, c: 3 }, totals, sabotage);
    faults.push(...played.faults);
    if (played.outcome && 'complete' in played.outcome && played.outcome.complete) whole += 1;
  }
  const now = s.clock.now().getTime();
  const over = [...model.assets.values(), ...model.uploads.values()].filter(
    (one) => !one.isGone && one.binnedAt !== null && isOver(one.binnedAt, now),
  );
  faults.push(...over.map((one) => `still in the bin: ${one.pathname}`));
  for (const asset of model.assets.values())
    if (!asset.isGone && !asset.hasChanged && model.mayExpire(asset, now))
      faults.push(`still there although nothing keeps it: ${asset.pathname}`);
  for (const upload of model.uploads.values())
    if (!upload.isGone && !upload.hasChanged && model.mayExpireUpload(upload, now))
      faults.push(`upload still there: ${upload.pathname}`);
  for (const [pathname, object] of s.store.files) {
    const isListed = ORPHAN_FOLDERS.some((folder) => pathname.startsWith(folder));
    if (isListed && object.uploadedAt.getTime() < now - 30 * DAY_MS && !model.isNamed(pathname))
      faults.push(`orphan still there: ${pathname}`);
  }
  return [...faults, ...(await auditFaults(stage))];
}

async function auditFaults(stage: Stage): Promise<string[]> {
  const { rows } = await stage.s.service.pool.query<{ fault: string }>(
    `WITH told AS (
       SELECT jsonb_array_elements_text(e."data" -> 'assetIds') AS "id" FROM "AuditEntry" e
         WHERE e."accountId" = $1 AND e."action" = 'generation.files_expired' AND NOT e."data" ? 'by'
       UNION ALL SELECT jsonb_array_elements_text(e."data" -> 'assetIds') FROM "AuditEntry" e
         WHERE e."accountId" = $1 AND e."action" = 'generation.files_erased'
       UNION ALL SELECT e."subjectId" FROM "AuditEntry" e WHERE e."accountId" = $1 AND e."action" = 'reference.erased'
       UNION ALL SELECT e."subjectId" FROM "AuditEntry" e WHERE e."accountId" = $1 AND e."action" = 'reference.expired'),
     gone AS (
       SELECT "id" FROM "Asset" WHERE "accountId" = $1 AND "deletedBy" = 'retention'
       UNION ALL SELECT "id" FROM "Asset" WHERE "accountId" = $1 AND "deletedBy" = 'member' AND "binnedBy" IS NULL
         AND "expiringAt" IS NULL
       UNION ALL SELECT "id" FROM "Upload" WHERE "accountId" = $1 AND "deletedBy" = 'member' AND "binnedBy" IS NULL
       UNION ALL SELECT "id" FROM "Upload" WHERE "accountId" = $1 AND "deletedBy" = 'retention')
     SELECT 'told ' || count(t."id") || ' times: ' || g."id" AS fault FROM gone g LEFT JOIN told t USING ("id")
       GROUP BY g."id" HAVING count(t."id") <> 1
     UNION ALL SELECT 'told without being gone: ' || "id" FROM told WHERE "id" NOT IN (SELECT "id" FROM gone)
     UNION ALL SELECT 'left half-way: ' || "id" FROM "Asset" WHERE "accountId" = $1 AND "expiringAt" IS NOT NULL AND "deletedAt" IS NULL`,
    [stage.s.owner.accountId],
  );
  return rows.map((row) => row.fault);
}
