import './env-file.ts';

import { connect } from '#lib/db/connection.ts';
import { isOperatorMissing, OPERATOR_MISSING } from '#lib/identity/accounts/operator-missing.ts';
import { hasOwnRole, migrateDatabase } from '#lib/local/prisma/migrate.ts';
import { MigrationCutShort } from '#lib/local/prisma/migration-cut-short.ts';
import { withDatabase } from '#lib/local/prisma/with-database.ts';
import { connectionSentence } from './admin/fault-sentence.ts';

/** Said once for each migration that waits; it is the operator who knows what may be ended. */
const HELD =
  'Une migration attend une table qu’une autre transaction tient (une sauvegarde, un rapport)\u00a0: elle redemande pendant dix minutes sans retenir personne. Voir docs/operations.md, «\u00a0A migration that stopped\u00a0».';

// npm run migrate: brings DATABASE_URL, or the embedded database, up to prisma/migrations, as DATABASE_DIRECT_URL when it is set; then
// gives the role of DATABASE_URL the rights of an application.
try {
  await withDatabase(async (addresses) => {
    const applied = await migrateDatabase(addresses, { onLockWait: () => console.warn(HELD) });
    console.log(
      applied.length === 0 ? 'Rien à appliquer.' : `Migrations appliquées\u00a0: ${applied.join(', ')}`,
    );
    const connection = connect({ url: addresses.ownerUrl, poolMax: 1 });
    if (await isOperatorMissing(connection)) console.warn(OPERATOR_MISSING);
    await connection.close();
    if (!hasOwnRole(addresses))
      console.warn(
        'L’application possède ses tables\u00a0: elle pourrait supprimer un déclencheur. Voir docs/operations.md, «\u00a0Rights in the database\u00a0».',
      );
  });
} catch (error) {
  const sentence = error instanceof MigrationCutShort ? error.message : connectionSentence(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exitCode = 1;
}
