import type { AccountActor } from '#lib/core/actor.ts';
import { hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { nameFault } from '#lib/core/input/name-fault.ts';
import { isBlank } from '#lib/core/text/blank.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { findProduct } from '#lib/products/registry.ts';
import type { Product } from '#lib/products/types.ts';

/** `forbidden` without the permission to generate, which is also the one to decide about files. */
export function requireGenerate(ctx: Context<AccountActor>): void {
  if (!hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
}

/** A product of the account; `invalid` names the field when there is none. */
export function requireProduct(ctx: Context<AccountActor>, productId: string): Product {
  const product = findProduct(ctx.actor.accountId, productId);
  if (product) return product;
  throw new ServiceError('invalid', {
    detail: 'productId',
    problems: [{ field: 'productId', message: sentences.productUnknown }],
  });
}

/** A text of which something is seen, of at most `max` characters once trimmed; `invalid` names the field otherwise. */
export function requireText(field: string, value: string, max: number): string {
  const text = value.trim();
  if (!isBlank(text) && text.length <= max) return text;
  throw textFault(field, lengthOf(max));
}

/** The same for a name, which stands on one line and reads as it is stored. */
export function requireName(field: string, value: string, max: number): string {
  const fault = nameFault(value, max, lengthOf(max));
  if (fault) throw textFault(field, fault);
  return value.trim();
}

const lengthOf = (max: number) => `Ce texte compte de 1 à ${max.toLocaleString('fr-FR')} caractères.`;

const textFault = (field: string, message: string) =>
  new ServiceError('invalid', { detail: field, problems: [{ field, message }] });

/** A file, avatar, concept… that is not in this account, or not any more: all answer alike. */
export function fileGone(subject: string): ServiceError {
  return new ServiceError('not_found', { message: sentences.fileGone, subject });
}
