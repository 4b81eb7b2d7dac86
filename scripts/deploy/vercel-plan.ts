/** What a build on Vercel does with the database that it was given. */
type VercelPlan = { migrates: boolean; why: string };

/** A build that must not go on; the sentence says what to set. */
export class UnsafeBuild extends Error {}

/**
 * Production migrates. A preview migrates a database of its own, which says so (`DATABASE_ENV=preview`, set for previews alone), or has
 * none and is built without: a variable that was set for every environment would hand it production's. Throws UnsafeBuild otherwise.
 */
export function planVercelBuild(source: Readonly<Record<string, string | undefined>>): VercelPlan {
  const environment = source.VERCEL_ENV?.trim() || 'production';
  const declared = source.DATABASE_ENV?.trim() || undefined;
  const isGiven = Boolean(source.DATABASE_URL?.trim() || source.DATABASE_DIRECT_URL?.trim());
  if (environment === 'production') {
    if (declared !== undefined && declared !== 'production')
      throw new UnsafeBuild(
        `This is a production build and DATABASE_ENV says that the database is of « ${declared} »: nothing was migrated.`,
      );
    if (!isGiven) throw new UnsafeBuild('A production build needs DATABASE_URL: nothing was migrated.');
    return { migrates: true, why: 'production migrates its database' };
  }
  if (!isGiven)
    return { migrates: false, why: `this ${environment} has no database: built, and nothing migrated` };
  if (declared !== environment)
    throw new UnsafeBuild(
      `This ${environment} was given a database, and nothing says that it is not production's: nothing was migrated. ` +
        `In the project's variables, limit DATABASE_URL and DATABASE_DIRECT_URL to Production, and give ${environment}s ` +
        `a database of their own with DATABASE_ENV=${environment}, or none.`,
    );
  return { migrates: true, why: `this ${environment} migrates its own database` };
}
