import type { TestService } from '#tests/setup/service.ts';
import type { StudioScene } from '../studio.ts';
import { interceptedQueries } from './intercepted-queries.ts';

/** The scene's context on connections on which these statements fail: once each, or always. */
export function broken(
  service: Pick<TestService, 'connection'>,
  scene: StudioScene,
  labels: string[],
  options: { once?: boolean } = {},
): StudioScene['ctx'] {
  const failed = new Set<string>();
  const kysely = interceptedQueries(service.connection.pool, {
    before({ label }) {
      if (!labels.includes(label) || (options.once && failed.has(label))) return;
      failed.add(label);
      throw new Error(`${label} fails`);
    },
  });
  return { ...scene.ctx, kysely };
}
