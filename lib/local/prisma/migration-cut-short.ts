/** A migration that does not run in one transaction was interrupted: an operator must look at what it left. */
export class MigrationCutShort extends Error {
  constructor(names: readonly string[]) {
    super(
      `Une migration a été interrompue\u00a0: ${names.join(', ')}. Rien d’autre n’est appliqué avant qu’elle soit reprise\u00a0: docs/operations.md, «\u00a0A migration that stopped\u00a0».`,
    );
    this.name = 'MigrationCutShort';
  }
}
