import { hasPermission, type MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { CATALOGUE } from '../catalogue.ts';
import { productsIn } from '../registry.ts';
import type { ProductFile } from '../types.ts';
import { mergeFaults } from '../validate.ts';
import { type ProductPullRequest, productPullRequest } from './pull-request.ts';
import type { ProductProposal } from './schema.ts';

type Catalogue = Readonly<Record<string, ProductFile>>;
type Judged = { productId: string; file: ProductFile; isNew: boolean; changed: string[] };

const lines = (text: string) =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * The file of a proposal, checked by every rule for merging a change of the registry, together with the whole catalogue. Errors: `invalid`
 * with the fields at fault, `not_found` for a change of a product that is not this account's.
 */
export function judgeProposal(catalogue: Catalogue, accountId: string, given: ProductProposal): Judged {
  const productId = (given.changes || given.id).trim();
  const place = `${accountId}/${productId}`;
  const before = Object.hasOwn(catalogue, place) ? catalogue[place] : undefined;
  if (given.changes && !before) throw new ServiceError('not_found');
  const wrong: { field: string; message: string }[] = [];
  if (!given.changes && before) wrong.push({ field: 'id', message: 'Cet identifiant est déjà pris.' });
  const file = proposedFile(before, given);
  // Identified by what was typed, not by a path: an identifier with a slash is validated whole.
  const others = productsIn(catalogue).filter((one) => one.accountId !== accountId || one.id !== productId);
  const faults = mergeFaults([...others, { id: productId, accountId, ...file }]);
  for (const { productId: of, field, message } of faults)
    if (of === productId) wrong.push({ field: field.split('.').at(-1) ?? field, message });
  if (wrong.length > 0) {
    const problems = wrong.filter((one, at) => wrong.findIndex(isSame(one)) === at);
    throw new ServiceError('invalid', {
      message:
        'Rien n’est parti\u00a0: le registre refuserait ce produit tel quel. Corrigez les champs signalés.',
      problems,
    });
  }
  const changed = before ? changedFields(before, file) : [];
  if (before && changed.length === 0)
    throw new ServiceError('invalid', {
      message: 'Rien n’est parti\u00a0: rien ne change. Modifiez au moins un champ.',
    });
  return { productId, file, isNew: before === undefined, changed };
}

const isSame =
  (one: { field: string; message: string }) =>
  ({ field, message }: { field: string; message: string }) =>
    field === one.field && message === one.message;

/** Fields that the form does not have (pronunciations, colours) stay as in the registry. */
function proposedFile(before: ProductFile | undefined, given: ProductProposal): ProductFile {
  const { tone: _, promises: __, ...kept } = before?.brand ?? {};
  const tone = given.tone.trim();
  const promises = lines(given.promises);
  const brand = { ...(tone ? { tone } : {}), ...(promises.length > 0 ? { promises } : {}), ...kept };
  return {
    name: given.name.trim(),
    ...(given.spaceName ? { spaceName: given.spaceName } : {}),
    references: { shopDomains: lines(given.shopDomains) },
    ...(Object.keys(brand).length > 0 ? { brand } : {}),
  };
}

function changedFields(before: ProductFile, after: ProductFile): string[] {
  const parts = (file: ProductFile) => ({
    name: file.name,
    spaceName: file.spaceName ?? '',
    tone: file.brand?.tone ?? '',
    promises: file.brand?.promises ?? [],
    shopDomains: file.references.shopDomains,
  });
  const [was, is] = [parts(before), parts(after)];
  return (Object.keys(was) as (keyof typeof was)[]).filter(
    (key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]),
  );
}

/**
 * A product, or a change of one, as a pull request ready to open. Nothing is written to the registry, which stays reviewed code.
 * Founders (`products.propose`), else `forbidden`; errors of `judgeProposal`. Audited `product.proposed`.
 */
export async function proposeProduct(
  ctx: Context<MemberActor>,
  given: ProductProposal,
  catalogue: Catalogue = CATALOGUE,
): Promise<ProductPullRequest> {
  if (!hasPermission(ctx.actor, 'products.propose')) throw new ServiceError('forbidden');
  const { accountId, memberId } = ctx.actor;
  const { productId, file, isNew, changed } = judgeProposal(catalogue, accountId, given);
  const { account, name: askedBy } = await ctx.db.member.findFirstOrThrow({
    where: { id: memberId, accountId },
    select: { name: true, account: { select: { name: true } } },
  });
  await recordAudits(ctx.kysely, ctx, [
    {
      action: 'product.proposed',
      accountId,
      subject: { type: 'product', id: productId },
      data: { name: file.name, isNew, fields: changed },
    },
  ]);
  return productPullRequest({
    catalogue,
    productId,
    file,
    changed,
    askedBy,
    account: { id: accountId, name: account.name },
    note: given.note,
  });
}
