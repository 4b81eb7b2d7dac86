import { type AccountActor, type AdminActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { isStorable } from '#lib/core/input/storable-text.ts';
import { transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { MAX_SPACES } from '../limits.ts';
import type { SpaceTemplate } from '../templates.ts';
import { isWebAddress } from '../web-address.ts';

const MAX_SPACE_NAME_LENGTH = 120;

type SpaceInput = { name: string; template: SpaceTemplate; websiteUrl?: string | null };

/** The problems of a Space's name and address, one per field; empty when both are good. */
export function spaceProblems({ name, websiteUrl }: { name?: string; websiteUrl?: string | null }) {
  const problems = [];
  const length = name?.trim().length ?? 1;
  if (length < 1 || length > MAX_SPACE_NAME_LENGTH || (name !== undefined && !isStorable(name)))
    problems.push({ field: 'name', message: `Le nom compte de 1 à ${MAX_SPACE_NAME_LENGTH} caractères.` });
  if (websiteUrl && !isWebAddress(websiteUrl))
    problems.push({
      field: 'websiteUrl',
      message: 'Donnez une adresse complète, par exemple https://exemple.fr.',
    });
  return problems;
}

/**
 * Creates a Space with its template's five pillars. Errors: `forbidden` for a member who may not write in the Brain or was given some Spaces alone,
 * `invalid_request` naming the field, `conflict` where there are as many as an account may have.
 */
export async function createSpace(
  ctx: Context<AccountActor | AdminActor>,
  input: SpaceInput & { accountId: string },
) {
  if (!hasPermission(ctx.actor, 'brain.write')) throw new ServiceError('forbidden');
  // Founders say which Spaces a member has: a new one is none of those that were given.
  if ('spaces' in ctx.actor && ctx.actor.spaces !== undefined)
    throw new ServiceError('forbidden', {
      message:
        'Vos droits portent sur certains espaces\u00a0: demandez à un fondateur de créer celui-ci et de vous l’ouvrir.',
    });
  const problems = spaceProblems(input);
  if (problems[0]) throw new ServiceError('invalid_request', { message: problems[0].message, problems });
  const now = ctx.clock.now();
  const id = createId('space', now);
  return transaction(ctx, async (tx) => {
    // Creations of one account wait for each other: its Spaces are counted exactly.
    await tx.selectFrom('Account').select('id').where('id', '=', input.accountId).forNoKeyUpdate().execute();
    const { spaces } = await tx
      .selectFrom('Space')
      .select(countRows.as('spaces'))
      .where('accountId', '=', input.accountId)
      .executeTakeFirstOrThrow();
    if (spaces >= MAX_SPACES)
      throw new ServiceError('conflict', {
        message: `Ce compte a déjà ${MAX_SPACES.toLocaleString('fr-FR')} espaces, le plus possible, archivés compris.`,
      });
    const space = await tx
      .insertInto('Space')
      .values({
        id,
        accountId: input.accountId,
        name: input.name.trim(),
        template: input.template,
        websiteUrl: input.websiteUrl || null,
        createdAt: now,
        updatedAt: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await recordAudits(tx, ctx, [
      {
        action: 'space.created',
        accountId: input.accountId,
        subject: { type: 'space', id },
        data: { name: space.name, template: space.template },
      },
    ]);
    return space;
  });
}
