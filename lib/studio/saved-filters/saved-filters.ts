import type { MemberActor } from '#lib/core/actor.ts';
import { hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { nameFault } from '#lib/core/input/name-fault.ts';
import { journalFilters } from '../journal/list-generations.ts';

const FILTER_NAME_MAX = 60;
/** How many one member keeps. */
export const MAX_FILTERS = 20;

export type SavedFilter = { id: string; name: string; query: string };

/** `forbidden` for who may not read the journal. */
export function requireJournal(ctx: Context<MemberActor>): void {
  if (!hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
}

const refuse = (field: string, message: string) =>
  new ServiceError('invalid', { detail: field, problems: [{ field, message }] });

/** A name on one line, between 1 and 60 characters; `invalid` names the field otherwise. */
export function requireName(given: string): string {
  const name = given.replace(/\s+/g, ' ').trim();
  const fault = nameFault(name, FILTER_NAME_MAX, `Ce nom compte de 1 à ${FILTER_NAME_MAX} caractères.`);
  if (fault) throw refuse('name', fault);
  return name;
}

/** The filters of an address, in their order and without anything else; `invalid` when the journal would not take them, or there is none. */
export function requireQuery(given: string): string {
  const asked = new URLSearchParams(given);
  const kept = new URLSearchParams();
  for (const name of Object.keys(journalFilters.shape)) {
    const value = asked.get(name);
    if (value) kept.set(name, value);
  }
  const isRead = journalFilters.safeParse(Object.fromEntries(kept)).success;
  if (isRead && kept.size > 0) return kept.toString();
  throw refuse('query', 'Ces filtres ne sont pas ceux du journal\u00a0: choisissez-en au moins un.');
}

/** Another of the member's filters has this name already. */
export const nameTaken = () => refuse('name', 'Un de vos filtres porte déjà ce nom.');
