import { readFile, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { count, bytes as sizeOf } from '#app/_ui/format.ts';
import { typedPath } from '#lib/local/paths.ts';
import { KEEP_REASON_LABELS } from '#lib/messages/storage.ts';
import type { AssetKeepReason } from '#lib/storage/keep-reason.ts';
import type { PlannedDeletion } from '#lib/storage/retention/plan-retention.ts';
import type { RetentionReport } from '#lib/storage/retention/report.ts';
import { withFileStore } from './file-store.ts';
import { asMember, findAccount, findMember } from './find.ts';
import { AdminError, EXIT, integer, run, withAccount } from './run.ts';

/** A dry run on a large store names this many files; the counts are of all of them. */
const SHOWN = 1_000;

const WHY = {
  expired: 'plus de 30 jours, rien ne le garde',
  untouched: 'envoi sans usage depuis 30 jours',
  orphan: 'aucune ligne ne le nomme',
  unfinished: 'suppression commencée, à finir',
} as const satisfies Record<PlannedDeletion['why'], string>;

const WITHHELD = {
  copy:
    'Rien n’a été supprimé\u00a0: d’après sa marque, le magasin est celui d’un service à une autre adresse, dont cette base est une copie. ' +
    'Si c’est bien le sien, donnez SERVICE_PUBLIC_URL, comme au service\u00a0; s’il a changé d’adresse, npm run admin -- retention --own-store prend le magasin pour lui.',
  marked:
    'Rien n’a été supprimé\u00a0: le magasin vient d’être marqué pour ce service. Relancez la même commande.',
} as const satisfies Record<NonNullable<RetentionReport['withheld']>, string>;

const WOULD_WITHHOLD = {
  copy:
    'Rien ne partirait\u00a0: d’après sa marque, le magasin est celui d’un service à une autre adresse, dont cette base est une copie. ' +
    'Si c’est bien le sien, donnez SERVICE_PUBLIC_URL, comme au service\u00a0; s’il a changé d’adresse, ajoutez --own-store pour savoir ce qui partirait.',
  marked:
    'Rien ne partirait\u00a0: la prochaine passe ne fait que marquer le magasin pour ce service. Ajoutez --own-store pour savoir ce qui partirait ensuite.',
} as const satisfies Record<keyof typeof WITHHELD, string>;

const GIGABYTE = 1024n ** 3n;
const inGigabytes = (bytes: bigint) =>
  (Number(bytes) / Number(GIGABYTE)).toLocaleString('fr-FR', { maximumFractionDigits: 1 });
const gigabytes = (text: string) => (text === 'default' ? null : integer(text));

type Kept = Record<AssetKeepReason, number>;
type PassOptions = { ownStore?: boolean; json?: boolean };

/** `storage`, `retention`, the nightly pass or what it would do, and `purge`. */
export function filesCommands(program: Command): void {
  withAccount(
    program
      .command('storage')
      .description('place des fichiers')
      .command('set')
      .argument('<Go>', 'gigaoctets, ou «\u00a0default\u00a0»', gigabytes)
      .description('fixe la place des fichiers du compte («\u00a0default\u00a0»\u00a0: celle de tous)'),
  ).action((wanted: number | null, options: { account?: string; json?: boolean }) =>
    run(
      options,
      async (ctx) => {
        const { readStorageUse } = await import('#lib/storage/uploads/storage-quota.ts');
        const { setStorageQuota } = await import('#lib/storage/uploads/set-storage-quota.ts');
        const { id: accountId } = await findAccount(ctx, options.account);
        const bytes = wanted === null ? null : BigInt(wanted) * GIGABYTE;
        await setStorageQuota(ctx, { accountId, bytes });
        const founder = await asMember(ctx, accountId, undefined);
        return { accountId, ...(await readStorageUse(founder)) };
      },
      ({ storedBytes, heldBytes, quotaBytes }) =>
        console.log(
          `Fichiers\u00a0: ${inGigabytes(storedBytes + heldBytes)} / ${inGigabytes(quotaBytes)} Go.`,
        ),
    ),
  );
  withAccount(
    program
      .command('files')
      .description('fichiers de l’ancienne application')
      .command('import')
      .argument('<manifeste>', 'un objet JSON par ligne (docs/operations.md)')
      .description('reprend les lignes de l’ancienne application\u00a0; relancé, n’ajoute que ce qui manque'),
  )
    .option('--member <membre>', 'au nom de qui, sauf mention contraire (le premier fondateur, par défaut)')
    .option('--dry-run', 'vérifie tout et n’écrit rien')
    .action(
      async (
        file: string,
        options: { account?: string; member?: string; dryRun?: boolean; json?: boolean },
      ) => {
        const manifest = await readManifestFile(file);
        await run(
          options,
          async (ctx) => {
            const { importFiles } = await import('#lib/storage/imports/import-files.ts');
            const { id: accountId } = await findAccount(ctx, options.account);
            const { id: memberId } = await findMember(ctx, accountId, options.member);
            return importFiles(ctx, { accountId, memberId, manifest, dryRun: options.dryRun ?? false });
          },
          ({ dryRun, created, unchanged, bytes }) => {
            const where = created < 2 ? 'laissé où il est' : 'laissés où ils sont';
            console.log(
              `${dryRun ? 'À reprendre' : 'Repris'}\u00a0: ${count(created, 'fichier')} (${sizeOf(bytes)}, ${where})\u00a0; déjà là\u00a0: ${unchanged}.`,
            );
          },
        );
      },
    );
  program
    .command('retention')
    .description('supprime les fichiers de plus de 30 jours que rien ne garde')
    .option('--dry-run', 'ne supprime rien : dit ce qui partirait, et pourquoi')
    .option('--own-store', 'prend d’abord le magasin pour ce service, quoi qu’en dise sa marque')
    .option('--json', 'un seul objet JSON')
    .action((options: PassOptions & { dryRun?: boolean }) =>
      options.dryRun ? plan(options) : pass(options),
    );
  withAccount(
    program
      .command('purge')
      .argument('<produit>', 'identifiant : le registre ne nomme plus ce produit')
      .description('supprime pour de bon les fichiers d’un produit sorti du registre'),
  )
    .option('--member <membre>', 'au nom de ce fondateur (le premier, par défaut)')
    .action((productId: string, options: { account?: string; member?: string; json?: boolean }) =>
      run(
        options,
        async (ctx) => {
          const { purgeProductBlobs } = await import('#lib/storage/deletion/purge-product.ts');
          const account = await findAccount(ctx, options.account);
          const founder = await asMember(ctx, account.id, options.member);
          return withFileStore(ctx, (files) =>
            purgeProductBlobs({ ...founder, files: files.files }, productId),
          );
        },
        (report) => {
          console.log(
            `Purgé\u00a0: ${count(report.removedObjects, 'objet')} (${sizeOf(report.removedBytes)}), ` +
              `${count(report.deletedAssets, 'fichier')}, ${count(report.deletedAvatars, 'avatar')}, ${count(report.deletedReferences, 'envoi')}.`,
          );
          if (report.keptConsents)
            console.log(
              `Gardé, puisqu’un consentement le nomme\u00a0: ${count(report.keptConsents, 'document')}.`,
            );
          if (report.hiddenReferences)
            console.log(
              `Masqué, et supprimé la nuit prochaine au plus tard si le magasin l’accepte\u00a0: ${count(report.hiddenReferences, 'envoi')}.`,
            );
          if (report.error === 'CopyRefused') console.log(WITHHELD.copy);
          else if (!report.complete) console.log(`Incomplet (${report.error}) : relancez la même commande.`);
        },
        (report) => (report.complete ? EXIT.done : EXIT.incomplete),
      ),
    );
}

async function readManifestFile(file: string): Promise<string> {
  const place = typedPath(file);
  const info = await stat(place).catch(() => null);
  if (!info?.isFile()) throw new AdminError(`«\u00a0${file}\u00a0» n’est pas un fichier lisible.`);
  const { MANIFEST_LIMITS } = await import('#lib/storage/imports/manifest.ts');
  if (info.size > MANIFEST_LIMITS.bytes)
    throw new AdminError('Un manifeste compte au plus 64\u00a0Mio\u00a0: coupez-le en plusieurs.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(place));
  } catch {
    throw new AdminError(`«\u00a0${file}\u00a0» n’est pas un texte UTF-8.`);
  }
}

function pass(options: PassOptions): Promise<void> {
  return run(
    options,
    async (ctx) => {
      const { runRetention } = await import('#lib/storage/retention/run-retention.ts');
      return withFileStore(ctx, (files) => runRetention(files, { ownStore: options.ownStore ?? false }));
    },
    (result) => {
      if ('skipped' in result) return console.log(skipped(result.skipped));
      const { assets, uploads, files, orphans, orphansRefused, withheld, complete } = result;
      if (withheld) return console.log(WITHHELD[withheld]);
      console.log(
        `Supprimés\u00a0: ${count(assets.expired, 'fichier')}, ${count(uploads, 'envoi')}, ${count(orphans.expired, 'objet sans ligne', 'objets sans ligne')}. ` +
          `Refusés par le magasin : ${files.failed + orphans.failed}.`,
      );
      sayKept(assets.kept);
      if (orphansRefused)
        console.log(
          'Objets sans ligne\u00a0: aucun supprimé, le magasin porte la marque d’une autre base. Si plus rien d’autre que cette base ne s’en sert, ' +
            '--own-store --dry-run dit ce qui partirait\u00a0; --own-store prend le magasin pour elle et supprime ces objets.',
        );
      else if (!complete) console.log('Passe interrompue : la prochaine reprend où celle-ci s’est arrêtée.');
    },
    (result) => {
      if ('skipped' in result || result.withheld === 'copy') return EXIT.refused;
      return result.complete ? EXIT.done : EXIT.incomplete;
    },
  );
}

function plan(options: PassOptions): Promise<void> {
  return run(
    options,
    async (ctx) => {
      const { planRetention } = await import('#lib/storage/retention/plan-retention.ts');
      return withFileStore(ctx, async (files) => {
        const shown: PlannedDeletion[] = [];
        const record = (file: PlannedDeletion) => {
          if (shown.length < SHOWN) shown.push(file);
        };
        const result = await planRetention(files, record, { ownStore: options.ownStore ?? false });
        return 'skipped' in result ? result : { ...result, deletions: shown };
      });
    },
    (result) => {
      if ('skipped' in result) return console.log(skipped(result.skipped));
      if (result.withheld) return console.log(WOULD_WITHHOLD[result.withheld]);
      for (const file of result.deletions)
        console.log(`${file.since.toISOString().slice(0, 10)}  ${file.pathname}  (${WHY[file.why]})`);
      const { wouldRemove, bytes } = result.files;
      const more = wouldRemove - result.deletions.length;
      if (more > 0) console.log(`… et ${count(more, 'autre')}.`);
      const leave = wouldRemove < 2 ? 'Partirait' : 'Partiraient';
      console.log(`${leave}\u00a0: ${count(wouldRemove, 'fichier')}, ${sizeOf(bytes)}.`);
      sayKept(result.assets.kept);
      if (result.orphansRefused)
        console.log(
          'Objets sans ligne\u00a0: aucun ne partirait, le magasin porte la marque d’une autre base. Ajoutez --own-store pour savoir ce qui partirait si cette base le prenait.',
        );
    },
    (result) => ('skipped' in result || result.withheld === 'copy' ? EXIT.refused : EXIT.done),
  );
}

function skipped(reason: string): string {
  return reason === 'no-blob-store'
    ? 'Aucun magasin de fichiers n’est configuré : rien n’a été touché.'
    : 'Une autre passe est en cours : rien n’a été touché.';
}

function sayKept(kept: Kept): void {
  for (const [reason, files] of Object.entries(kept) as [AssetKeepReason, number][])
    if (files > 0) console.log(`  gardés\u00a0: ${files} (${KEEP_REASON_LABELS[reason]})`);
}
