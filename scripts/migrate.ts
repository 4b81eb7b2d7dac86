import './env-file.ts';

import { connect } from '#lib/db/connection.ts';
import { isOperatorMissing, OPERATOR_MISSING } from '#lib/identity/accounts/operator-missing.ts';
import { hasOwnRole, migrateDatabase } from '#lib/local/prisma/migrate.ts';
import { withDatabase } from '#lib/local/prisma/with-database.ts';

// npm run migrate: brings DATABASE_URL, or the embedded database, up to prisma/migrations, as DATABASE_DIRECT_URL when it is set; then
// gives the role of DATABASE_URL the rights of an application.
await withDatabase(async (addresses) => {
  const applied = await migrateDatabase(addresses);
  console.log(applied.length === 0 ? 'Nothing to apply.' : `Applied: ${applied.join(', ')}`);
  const connection = connect({ url: addresses.ownerUrl, poolMax: 1 });
  if (await isOperatorMissing(connection)) console.warn(OPERATOR_MISSING);
  await connection.close();
  if (!hasOwnRole(addresses))
    console.warn(
      'The application owns its tables: it could drop a trigger. See docs/operations.md, « Rights in the database ».',
    );
});
