import type { Sql } from '#lib/db/connection.ts';
import type { StudioScene } from './studio.ts';

/** A connection on which these statements fail: once each, or always. */
function failing(sql: Sql, names: string[], options: { once?: boolean } = {}): Sql {
  const failed = new Set<string>();
  const guard = (name: string) => {
    if (!names.includes(name) || (options.once && failed.has(name))) return;
    failed.add(name);
    throw new Error(`${name} fails`);
  };
  return {
    async rows(name, text, params) {
      guard(name);
      return sql.rows(name, text, params);
    },
    transaction: (work) =>
      sql.transaction((tx) =>
        work({
          async rows(name, text, params) {
            guard(name);
            return tx.rows(name, text, params);
          },
        }),
      ),
  };
}

/** The scene's context, on such a connection. */
export const broken = (scene: StudioScene, names: string[], options?: { once?: boolean }) => ({
  ...scene.ctx,
  sql: failing(scene.ctx.sql, names, options),
});
