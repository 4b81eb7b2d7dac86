import { z } from 'zod';

/** Years 1 to 9998: PostgreSQL's calendar has no year 0, and a day more is still written with four digits. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9998-12-31T23:59:59.999Z');

/** Whether PostgreSQL keeps this instant as it is; false of what is no date. */
export const isStorableInstant = (at: Date): boolean => at.getTime() >= FIRST_MS && at.getTime() <= LAST_MS;

const inCalendar = (text: string) => isStorableInstant(new Date(text));
const NOT_IN_CALENDAR = 'Cette date est hors du calendrier.';

/** An instant from outside, in UTC, that PostgreSQL keeps. */
export const storableInstant = z.iso.datetime().refine(inCalendar, NOT_IN_CALENDAR);

/** A day from outside that PostgreSQL keeps. */
export const storableDay = z.iso.date({ abort: true }).refine(inCalendar, NOT_IN_CALENDAR);

/** A day or an instant from outside that PostgreSQL keeps. */
export const storableDayOrInstant = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .refine(inCalendar, NOT_IN_CALENDAR);
