import './env-file.ts';

import { connect } from '#lib/db/connection.ts';
import { isOperatorMissing, OPERATOR_MISSING } from '#lib/identity/accounts/operator-missing.ts';
import { hasOwnRole, migrateDatabase } from '#lib/local/prisma/migrate.ts';
import { withDatabase } from '#lib/local/prisma/with-database.ts';
import { connectionSentence } from './admin/fault-sentence.ts';

// npm run migrate: brings DATABASE_URL, or the embedded database, up to prisma/migrations, as DATABASE_DIRECT_URL when it is set; then
// gives the role of DATABASE_URL the rights of an application.
try {
  await withDatabase(async (addresses) => {
    const applied = await migrateDatabase(addresses);
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
  const sentence = connectionSentence(error);
  if (sentence === undefined) throw error;
  console.error(sentence);
  process.exitCode = 1;
}
