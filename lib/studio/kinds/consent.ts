import type { Selectable } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { FREE_PRODUCT, type Product } from '#lib/products/types.ts';
import { withRetentionPaused } from '#lib/storage/retention-lock.ts';
import type { StudioContext } from '../context.ts';
import type { RequestOf } from '../request.ts';
import { refuseInvalid } from './checks.ts';

/** A signed consent as it is written down with the row that it allows. */
export type NewConsent = Pick<
  Selectable<DB['Consent']>,
  'id' | 'accountId' | 'memberId' | 'voiceId' | 'personName' | 'signedAt' | 'pathname' | 'createdAt'
>;

type SignedConsent = NonNullable<RequestOf<'voice'>['consent']>;

/** What a signed document may be: a PDF, or a picture of it. */
const SCANS = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'];

/** The day that it is now where the day begins first (UTC+14): nobody signed on a later one. */
const latestDay = (now: Date) => new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10);

/**
 * Checks a signed consent: signed by today, and its document a PDF or an image that a member of the account uploaded, of the product or
 * the free one. Gives what is written with the row, with the document's pathname, which retention then keeps. Throws `invalid` naming
 * `consent.signedAt` or `consent.document`.
 */
export async function checkConsent(
  ctx: StudioContext<AccountActor>,
  product: Product,
  input: { consent: SignedConsent; voiceId: string },
): Promise<NewConsent> {
  const { consent, voiceId } = input;
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const signedAt = new Date(`${consent.signedAt}T00:00:00Z`);
  if (consent.signedAt > latestDay(now))
    refuseInvalid('consent', [
      { field: 'consent.signedAt', message: 'Ce consentement est daté dans l’avenir.' },
    ]);
  const pathname = await findDocument(ctx, product, consent.document);
  const { personName } = consent;
  const id = createId('consent', now);
  return { id, accountId, memberId, voiceId, personName, signedAt, pathname, createdAt: now };
}

type Upload = { pathname: string; contentType: string; productId: string };

const touchDocument = prepared(
  'studio.consent_document',
  (db, p: Params<{ id: string; accountId: string; now: Date }>) =>
    db
      .updateTable('Upload')
      .set({ touchedAt: p.now })
      .where('id', '=', p.id)
      .where('accountId', '=', p.accountId)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .returning(['pathname', 'contentType', 'productId']),
);

/** The upload that a consent names, touched: retention counts its 30 days from now. */
async function findDocument(
  ctx: StudioContext<AccountActor>,
  product: Product,
  document: string,
): Promise<string> {
  const upload = await touchDocument.first(ctx.kysely, {
    id: document,
    accountId: ctx.actor.accountId,
    now: ctx.clock.now(),
  });
  const message = problemOf(product, upload);
  if (upload && !message) return upload.pathname;
  refuseInvalid('consent', [{ field: 'consent.document', message: message ?? NOT_AN_UPLOAD }]);
  throw new Error('unreachable');
}

const holdDocument = prepared(
  'studio.consent_document_held',
  (db, p: Params<{ pathname: string; accountId: string; now: Date }>) =>
    db
      .updateTable('Upload')
      .set({ touchedAt: p.now })
      .where('pathname', '=', p.pathname)
      .where('accountId', '=', p.accountId)
      .where('deletedAt', 'is', null)
      .where('expiringAt', 'is', null)
      .returning('id'),
);

const insertConsent = prepared('studio.consent', (db, p: Params<NewConsent>) =>
  db.insertInto('Consent').values({
    id: p.id,
    accountId: p.accountId,
    memberId: p.memberId,
    voiceId: p.voiceId,
    personName: p.personName,
    signedAt: p.signedAt,
    pathname: p.pathname,
    createdAt: p.createdAt,
  }),
);

/**
 * The transaction in which rows are born with the consent that allows them, if they need one. Nothing goes to the bin nor expires while it
 * lasts: its document is asked for again here, since somebody may have deleted it after it was checked. Throws `invalid` naming
 * `consent.document`: nothing was written.
 */
export function withConsent<T>(
  ctx: StudioContext<AccountActor>,
  consent: NewConsent | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (!consent) return transaction(ctx, work);
  return withRetentionPaused(ctx, async (tx) => {
    const { accountId, pathname, createdAt } = consent;
    if (pathname !== null && !(await holdDocument.first(tx, { pathname, accountId, now: createdAt })))
      refuseInvalid('consent', [{ field: 'consent.document', message: NOT_AN_UPLOAD }]);
    await insertConsent.run(tx, consent);
    return work(tx);
  });
}

const NOT_AN_UPLOAD =
  'Ce document n’est pas un fichier envoyé dans ce compte\u00a0: joignez le consentement signé, en PDF ou en image.';

function problemOf(product: Product, upload: Upload | undefined): string | undefined {
  if (!upload) return NOT_AN_UPLOAD;
  if (!SCANS.includes(upload.contentType))
    return 'Le consentement signé se joint en PDF, ou en image PNG, JPEG ou WebP.';
  if (upload.productId !== product.id && upload.productId !== FREE_PRODUCT)
    return 'Ce document appartient à un autre produit\u00a0: joignez-le à nouveau pour celui-ci.';
  return undefined;
}
